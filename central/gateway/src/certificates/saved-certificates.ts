/**
 * Keeps the certificates on this machine's disk: one file each in PEM, as HAProxy reads it, and an index of all.
 */

import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import { certificatesUpdate, gatewayCertificate, type GatewayCertificate } from "@tijolo/protocol";
import { z } from "zod";
import { readSaved } from "../files/read-saved.ts";
import { replaceFile } from "../files/replace-file.ts";

const index = z.object({
  /** In order: of two for a name the later one counts. */
  certificates: z.array(gatewayCertificate.pick({ id: true, names: true })),
  challenges: certificatesUpdate.shape.challenges,
});
export type CertificateIndex = z.infer<typeof index>;

const none: CertificateIndex = { certificates: [], challenges: { names: [], thumbprint: null } };

export class SavedCertificates {
  readonly #directory: string;
  readonly #indexFile: string;

  /** Both are this program's own: nobody else may enter the directory. */
  constructor({ directory, indexFile }: { directory: string; indexFile: string }) {
    this.#directory = directory;
    this.#indexFile = indexFile;
  }

  /** Returns the path of a certificate's file. */
  fileOf(id: string): string {
    return join(this.#directory, `${id}.pem`);
  }

  /** Returns what was saved, without certificates whose file is gone; central sends those anew. */
  async read(): Promise<CertificateIndex> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const saved = (await readSaved(this.#indexFile, index)) ?? none;
    const files = new Set(await readdir(this.#directory));
    return { ...saved, certificates: saved.certificates.filter(({ id }) => files.has(`${id}.pem`)) };
  }

  /** Writes a certificate. Throws for one whose key is another's, and for a chain that no server loads. */
  async add({ id, chain, privateKey }: GatewayCertificate): Promise<void> {
    if (!new X509Certificate(chain).checkPrivateKey(createPrivateKey(privateKey)))
      throw new Error(`the key of certificate ${id} is another's`);
    createSecureContext({ cert: chain, key: privateKey });
    await replaceFile(this.fileOf(id), pemOf(privateKey, chain));
  }

  async save(certificates: CertificateIndex): Promise<void> {
    await replaceFile(this.#indexFile, JSON.stringify(certificates));
  }

  /** Removes the files of all other certificates. */
  async keepOnly(ids: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(this.#directory))
      if (!ids.has(name.replace(/\.pem$/, ""))) await rm(join(this.#directory, name), { force: true });
  }
}

/** Joins the key and the chain, without blank lines: one would end the text for HAProxy's runtime API. */
function pemOf(...texts: readonly string[]): string {
  const lines = texts.join("\n").split("\n");
  return `${lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join("\n")}\n`;
}
