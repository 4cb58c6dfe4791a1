/** Parses the settings of ACME authorities, and reads the files that they name. */

import { isAbsolute } from "node:path";
import type { AcmeServer } from "./app/certificates/acme/acme-client.ts";
import { gatewayProofs, type GatewayProof } from "./app/certificates/orders/name-proofs.ts";
import { findPrivateText, findText } from "./app/secrets/private-file.ts";

export interface AcmeSettings {
  /** Addresses of directories, in the order in which they are asked. */
  directories: string[];
  stagingUrl: string | null;
  contact: string | null;
  bindingsFile: string | null;
  rootsFile: string | null;
  dnsHook: string | null;
  /** How gateways prove the names that no hook proves. */
  challenge: GatewayProof;
}

const prefix = "TIJOLO_ACME_";
const letsEncrypt = "https://acme-v02.api.letsencrypt.org/directory";
const letsEncryptStaging = "https://acme-staging-v02.api.letsencrypt.org/directory";
const maxDirectories = 8;

/** `take` hands out a variable, which is then known. Throws with a sentence that names the wrong one. */
export function parseAcme(take: (name: string, fallback: string) => string): AcmeSettings {
  const directories = take("ACME_DIRECTORIES", "")
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .map((text) => parseDirectory("DIRECTORIES", text));
  if (directories.length > maxDirectories || new Set(directories).size < directories.length)
    throw new Error(`${prefix}DIRECTORIES must be up to ${maxDirectories} different directories.`);
  const staging = take("ACME_STAGING_DIRECTORY", directories[0] === letsEncrypt ? letsEncryptStaging : "");
  const contact = take("ACME_CONTACT", "") || null;
  if (contact !== null && !/^[^\s@,?]+@[^\s@,?]+$/.test(contact))
    throw new Error(`${prefix}CONTACT must be a mail address, not ${JSON.stringify(contact)}.`);
  return {
    directories,
    stagingUrl: staging === "" ? null : parseDirectory("STAGING_DIRECTORY", staging),
    contact,
    bindingsFile: take("ACME_BINDINGS_FILE", "") || null,
    rootsFile: take("ACME_ROOTS_FILE", "") || null,
    dnsHook: parseHook(take("ACME_DNS_HOOK", "")),
    challenge: parseChallenge(take("ACME_CHALLENGE", "http-01")),
  };
}

function parseDirectory(name: string, text: string): string {
  if (text === "letsencrypt") return letsEncrypt;
  const url = URL.parse(text);
  if (url?.protocol === "https:" && url.username === "" && url.hash === "") return url.href;
  throw new Error(`${prefix}${name} must be letsencrypt or https://…, not ${JSON.stringify(text)}.`);
}

function parseHook(path: string): string | null {
  if (path === "" || isAbsolute(path)) return path || null;
  throw new Error(`${prefix}DNS_HOOK must be an absolute path, not ${JSON.stringify(path)}.`);
}

function parseChallenge(text: string): GatewayProof {
  const challenge = gatewayProofs.find((each) => each === text);
  if (challenge !== undefined) return challenge;
  throw new Error(`${prefix}CHALLENGE must be ${gatewayProofs.join(" or ")}, not ${JSON.stringify(text)}.`);
}

/** Returns the authorities with the operator's accounts. Throws with a sentence that names the file. */
export async function readAcmeServers({ directories, bindingsFile }: AcmeSettings): Promise<AcmeServer[]> {
  const bindings = await readBindings(bindingsFile);
  return directories.map((directoryUrl) => ({ directoryUrl, binding: bindings.get(directoryUrl) ?? null }));
}

async function readBindings(file: string | null): Promise<Map<string, { keyId: string; hmacKey: string }>> {
  const bindings = new Map<string, { keyId: string; hmacKey: string }>();
  if (file === null) return bindings;
  const secret = { holds: "keys of accounts", afterwards: "have the authority make another key." };
  const text = await findPrivateText(file, secret);
  if (text === undefined) throw new Error(`${prefix}BINDINGS_FILE ${file} does not exist.`);
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (line === "" || line.startsWith("#")) continue;
    const [directory = "", keyId = "", hmacKey = "", ...rest] = line.split(/\s+/);
    if (!/^[\w-]+$/.test(hmacKey) || rest.length > 0)
      throw new Error(`${file} must have lines of a directory, a key id and a key in base64url.`);
    bindings.set(parseDirectory("BINDINGS_FILE", directory), { keyId, hmacKey });
  }
  return bindings;
}

/** Returns the certificates of `TIJOLO_ACME_ROOTS_FILE`. */
export async function readAcmeRoots({ rootsFile }: AcmeSettings): Promise<string | null> {
  if (rootsFile === null) return null;
  const text = await findText(rootsFile);
  if (text?.includes("-----BEGIN CERTIFICATE-----") === true) return text;
  throw new Error(`${prefix}ROOTS_FILE ${rootsFile} has no certificate in PEM.`);
}
