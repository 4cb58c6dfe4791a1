/** Reads the authority of central, which the installation has pinned: the link trusts no other. */

import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { linkServerName } from "../link-channel.ts";

/** Options of a TLS connection to central. */
export interface LinkTls {
  ca: string;
  servername: string;
  minVersion: "TLSv1.3";
}

/** Returns undefined without a pinned authority. Throws when the file holds no certificate. */
export async function readLinkTls(file: string | null): Promise<LinkTls | undefined> {
  if (file === null) return undefined;
  const ca = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Error(`TIJOLO_CENTRAL_AUTHORITY_FILE ${file} cannot be read.`, { cause });
  });
  try {
    const { ca: isAuthority } = new X509Certificate(ca);
    if (isAuthority) return { ca, servername: linkServerName, minVersion: "TLSv1.3" };
  } catch (cause) {
    throw new Error(`TIJOLO_CENTRAL_AUTHORITY_FILE ${file} holds no certificate.`, { cause });
  }
  throw new Error(`TIJOLO_CENTRAL_AUTHORITY_FILE ${file} holds no certificate of an authority.`);
}
