/** Writes the extensions of certificates and of requests for them (RFC 5280, 4.2). */

import { isIPv4, isIPv6, SocketAddress } from "node:net";
import { bitString, boolean, explicit, implicit, integer, objectId, octetString, sequence } from "./der.ts";

const ids = {
  subjectKeyId: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectNames: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  nameConstraints: "2.5.29.30",
  authorityKeyId: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  acmeIdentifier: "1.3.6.1.5.5.7.1.31",
};
/** Choices of GeneralName. */
const generalName = { dns: 2, address: 7 } as const;
const usages = {
  digitalSignature: { byte: 0x80, unusedBits: 7 },
  certificateSigning: { byte: 0x04, unusedBits: 2 },
} as const;

/** Returns the names that a certificate is for: host names, or IP addresses. */
export function subjectNames(names: readonly string[], { isCritical }: { isCritical: boolean }): Buffer {
  const items = names.map((name) => {
    const address = addressBytes(name);
    return address === null
      ? implicit(generalName.dns, Buffer.from(name, "ascii"))
      : implicit(generalName.address, address);
  });
  return extension(ids.subjectNames, sequence(...items), isCritical);
}

export function keyUsage(usage: keyof typeof usages): Buffer {
  const { byte, unusedBits } = usages[usage];
  return extension(ids.keyUsage, bitString(Buffer.from([byte]), unusedBits), true);
}

export function serverAuth(): Buffer {
  return extension(ids.extendedKeyUsage, sequence(objectId(ids.serverAuth)), false);
}

/** States that the certificate signs others, none of which signs a further one. */
export function isAuthority(): Buffer {
  const lastAuthority = integer(Buffer.from([0]));
  return extension(ids.basicConstraints, sequence(boolean(true), lastAuthority), true);
}

export function isNoAuthority(): Buffer {
  return extension(ids.basicConstraints, sequence(), true);
}

export function subjectKeyId(keyId: Uint8Array): Buffer {
  return extension(ids.subjectKeyId, octetString(keyId), false);
}

export function authorityKeyId(keyId: Uint8Array): Buffer {
  return extension(ids.authorityKeyId, sequence(implicit(0, keyId)), false);
}

/** States the SHA-256 of a key authorization, which proves the certificate's name to an authority (RFC 8737, 3). */
export function acmeIdentifier(digest: Uint8Array): Buffer {
  return extension(ids.acmeIdentifier, octetString(digest), true);
}

/**
 * Limits what an authority may sign: these domains with all below them, and addresses of the loopback. No
 * other name of these two kinds is accepted of it.
 */
export function nameConstraints(domains: readonly string[]): Buffer {
  const permitted = [
    ...domains.map((domain) => implicit(generalName.dns, Buffer.from(domain, "ascii"))),
    implicit(generalName.address, Buffer.from([127, 0, 0, 0, 255, 0, 0, 0])),
    implicit(
      generalName.address,
      Buffer.concat([addressBytes("::1") ?? Buffer.alloc(0), Buffer.alloc(16, 255)]),
    ),
  ];
  const subtrees = permitted.map((base) => sequence(base));
  return extension(ids.nameConstraints, sequence(explicit(0, ...subtrees)), true);
}

function extension(id: string, value: Buffer, isCritical: boolean): Buffer {
  return sequence(objectId(id), ...(isCritical ? [boolean(true)] : []), octetString(value));
}

/** Returns an address as bytes; null for a text that is no address. */
function addressBytes(text: string): Buffer | null {
  if (isIPv4(text)) return Buffer.from(text.split(".").map(Number));
  if (!isIPv6(text)) return null;
  const { address } = new SocketAddress({ address: text, family: "ipv6" });
  const [head = "", tail] = address.split("::");
  const groups = (part: string | undefined) =>
    part ? part.split(":").map((group) => Number.parseInt(group, 16)) : [];
  const [before, after] = [groups(head), groups(tail)];
  const middle = tail === undefined ? [] : Array<number>(8 - before.length - after.length).fill(0);
  return Buffer.from([...before, ...middle, ...after].flatMap((group) => [group >> 8, group & 0xff]));
}
