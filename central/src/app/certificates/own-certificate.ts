/** Judges a certificate that somebody brings: its chain, its key, its names and its dates. */

import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";
import { createSecureContext } from "node:tls";
import { AppError, type ErrorExtra } from "@tijolo/protocol";

export interface GivenCertificate {
  /** Chain in PEM: the certificate first, then those that signed it. */
  certificate: string;
  /** Private key in PEM, without a passphrase. */
  privateKey: string;
}

export interface OwnCertificate {
  /** Chain in PEM, without anything between the certificates. */
  chain: string;
  privateKey: KeyObject;
  /** Host names that it is for, in order. */
  names: string[];
}

const maxBytes = 64 * 1024;
const maxCertificates = 8;
/** Names, and bytes of the chain: gateways accept no more over the link, and larger ones not while they serve. */
const maxNames = 100;
const maxChainBytes = 24 * 1024;
const minRsaBits = 2048;
/** A signature with a key of twice as many bits costs a gateway about seven times as much, for each visitor. */
const maxRsaBits = 4096;
/** Milliseconds that a certificate may begin ahead of central's clock. */
const aheadMs = 60 * 60 * 1000;
const pemCertificate = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/**
 * Returns the certificate; `hostname` (`*.example.com` for a wildcard) is a name that it has to be for. Throws
 * `invalid_certificate` with the field and the reason.
 */
export function readOwnCertificate(
  given: GivenCertificate,
  { now, hostname }: { now: number; hostname: string | null },
): OwnCertificate {
  for (const field of ["certificate", "privateKey"] as const)
    if (Buffer.byteLength(given[field]) > maxBytes) throw invalid(field, "too_large");
  const chain = readChain(given.certificate);
  const [own] = chain;
  if (own === undefined) throw invalid("certificate", "not_pem");
  const privateKey = readKey(given.privateKey);
  if (!own.checkPrivateKey(privateKey)) throw invalid("privateKey", "key_mismatch");
  for (const [index, signer] of chain.slice(1).entries())
    if (!isSignedBy(chain[index], signer)) throw invalid("certificate", "broken_chain");
  if (chain.some(({ validTo }) => Date.parse(validTo) <= now)) throw invalid("certificate", "expired");
  if (Date.parse(own.validFrom) > now + aheadMs) throw invalid("certificate", "not_yet_valid");
  const names = namesOf(own);
  if (names.length === 0 || (hostname !== null && !isFor(names, hostname)))
    throw invalid("certificate", "wrong_names");
  const text = chain.map((each) => each.toString()).join("");
  if (names.length > maxNames || text.length > maxChainBytes) throw invalid("certificate", "too_large");
  if (!isLoadable(text, privateKey)) throw invalid("certificate", "weak_key");
  return { chain: text, privateKey, names };
}

function readChain(text: string): X509Certificate[] {
  const blocks = text.match(pemCertificate) ?? [];
  if (blocks.length > maxCertificates) throw invalid("certificate", "too_large");
  try {
    return blocks.map((block) => new X509Certificate(block));
  } catch {
    throw invalid("certificate", "not_pem");
  }
}

/** Reads the key: of a kind that every browser accepts. */
function readKey(pem: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: pem, format: "pem", passphrase: "" });
  } catch {
    throw invalid("privateKey", "not_pem");
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  const rsaBits = details?.modulusLength ?? 0;
  if (type === "rsa" && rsaBits > maxRsaBits) throw invalid("privateKey", "too_large");
  const isRsa = type === "rsa" && rsaBits >= minRsaBits;
  const isEc = type === "ec" && ["prime256v1", "secp384r1"].includes(details?.namedCurve ?? "");
  if (!isRsa && !isEc) throw invalid("privateKey", "weak_key");
  return key;
}

function isSignedBy(certificate: X509Certificate | undefined, signer: X509Certificate): boolean {
  return certificate !== undefined && certificate.checkIssued(signer) && certificate.verify(signer.publicKey);
}

/** True when a server of today loads the chain: OpenSSL judges the keys and signatures of those that signed it, too. */
function isLoadable(chain: string, privateKey: KeyObject): boolean {
  try {
    createSecureContext({ cert: chain, key: privateKey.export({ type: "pkcs8", format: "pem" }) });
    return true;
  } catch {
    return false;
  }
}

/** Returns the DNS names, in order; addresses and others are left out. */
function namesOf({ subjectAltName = "" }: X509Certificate): string[] {
  const names = subjectAltName.split(", ").flatMap((entry) => /^DNS:([\w*.-]+)$/.exec(entry)?.[1] ?? []);
  return [...new Set(names.map((name) => name.toLowerCase()))].sort();
}

/** True when one of the names is the host name, or a wildcard directly above it. */
export function isFor(names: readonly string[], hostname: string): boolean {
  return names.includes(hostname) || names.includes(`*${hostname.slice(hostname.indexOf("."))}`);
}

function invalid(field: keyof GivenCertificate, reason: NonNullable<ErrorExtra["reason"]>): AppError {
  return new AppError("invalid_certificate", { extra: { field, reason } });
}
