/** Writes and signs X.509 certificates: an authority's own, and those that it issues to servers. */

import { createHash, createPublicKey, sign, type KeyObject } from "node:crypto";
import type { Random } from "../../clock.ts";
import { bitString, explicit, integer, objectId, sequence, setOf, time, utf8String } from "./der.ts";
import {
  acmeIdentifier,
  authorityKeyId,
  isAuthority,
  isNoAuthority,
  keyUsage,
  nameConstraints,
  serverAuth,
  subjectKeyId,
  subjectNames,
} from "./extensions.ts";

const commonName = "2.5.4.3";
const ecdsaWithSha256 = sequence(objectId("1.2.840.10045.4.3.2"));
const version3 = explicit(0, integer(Buffer.from([2])));
const serialBytes = 16;
const rawPointBytes = 65;

/** Times in milliseconds since 1970. */
export interface Validity {
  beginsAt: number;
  endsAt: number;
}

export interface Issuer {
  name: string;
  privateKey: KeyObject;
}

/** Returns the certificate, as PEM, of an authority that may sign for `domains` and what lies below them. */
export function signAuthority(
  issuer: Issuer,
  { domains, validity, random }: { domains: readonly string[]; validity: Validity; random: Random },
): string {
  const publicKey = createPublicKey(issuer.privateKey);
  return signed(issuer, {
    subject: nameOf(issuer.name),
    publicKey,
    validity,
    random,
    extensions: [
      isAuthority(),
      keyUsage("certificateSigning"),
      nameConstraints(domains),
      subjectKeyId(keyIdOf(publicKey)),
    ],
  });
}

/** Returns the certificate, as PEM, of a server with these names. */
export function signServer(
  issuer: Issuer,
  {
    names,
    publicKey,
    validity,
    random,
  }: { names: readonly string[]; publicKey: KeyObject; validity: Validity; random: Random },
): string {
  return signed(issuer, {
    subject: sequence(),
    publicKey,
    validity,
    random,
    extensions: [
      isNoAuthority(),
      keyUsage("digitalSignature"),
      serverAuth(),
      // The subject is empty, so the names are critical (RFC 5280, 4.2.1.6).
      subjectNames(names, { isCritical: true }),
      subjectKeyId(keyIdOf(publicKey)),
      authorityKeyId(keyIdOf(createPublicKey(issuer.privateKey))),
    ],
  });
}

/** Returns the certificate, as PEM, that proves a name to an authority over TLS: signed by its own key (RFC 8737, 3). */
export function signProof(
  issuer: Issuer,
  {
    name,
    keyAuthorization,
    validity,
    random,
  }: { name: string; keyAuthorization: string; validity: Validity; random: Random },
): string {
  return signed(issuer, {
    subject: nameOf(issuer.name),
    publicKey: createPublicKey(issuer.privateKey),
    validity,
    random,
    extensions: [
      subjectNames([name], { isCritical: false }),
      acmeIdentifier(createHash("sha256").update(keyAuthorization).digest()),
    ],
  });
}

interface Content {
  subject: Buffer;
  publicKey: KeyObject;
  validity: Validity;
  random: Random;
  extensions: readonly Buffer[];
}

function signed(issuer: Issuer, { subject, publicKey, validity, random, extensions }: Content): string {
  const serial = Buffer.from(random(serialBytes));
  serial[0] = 0x40 | ((serial[0] ?? 0) & 0x3f);
  const body = sequence(
    version3,
    integer(serial),
    ecdsaWithSha256,
    nameOf(issuer.name),
    sequence(time(validity.beginsAt), time(validity.endsAt)),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    explicit(3, sequence(...extensions)),
  );
  const signature = sign("sha256", body, { key: issuer.privateKey, dsaEncoding: "der" });
  return toPem("CERTIFICATE", sequence(body, ecdsaWithSha256, bitString(signature)));
}

/** Returns the text form of a DER document. */
function toPem(label: string, der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}

function nameOf(name: string): Buffer {
  return sequence(setOf(sequence(objectId(commonName), utf8String(name))));
}

/** Returns the key's id by the first method of RFC 5280, 4.2.1.2: the hash of the point. */
function keyIdOf(publicKey: KeyObject): Buffer {
  const der = publicKey.export({ type: "spki", format: "der" });
  return createHash("sha1").update(der.subarray(-rawPointBytes)).digest();
}
