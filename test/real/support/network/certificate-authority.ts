/** An operator's own certificate authority, made with openssl as its manual shows. */

import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../../../../agent/src/host/exec.ts";

export interface ServerCertificate {
  file: string;
  keyFile: string;
}

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

export class CertificateAuthority {
  /** Path of its own certificate, by which others trust it. */
  readonly file: string;
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
    this.file = join(directory, "authority.crt");
  }

  static async create(directory: string): Promise<CertificateAuthority> {
    const authority = new CertificateAuthority(directory);
    const uses = ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign"].flatMap(
      (extension) => ["-addext", extension],
    );
    const files = ["-keyout", authority.#keyFile, "-out", authority.file];
    await exec([
      "openssl",
      "req",
      "-x509",
      ...newKey,
      "-days",
      "2",
      "-subj",
      "/CN=Autoridade da casa",
      ...uses,
      ...files,
    ]);
    return authority;
  }

  get #keyFile(): string {
    return join(this.#directory, "authority.key");
  }

  /** Issues a certificate for a server at an address, for two days from now, or as many as given. */
  async issue(address: string, { name = address, days = 2 } = {}): Promise<ServerCertificate> {
    const path = (ending: string) => join(this.#directory, `${name}.${ending}`);
    await exec([
      "openssl",
      "req",
      "-new",
      ...newKey,
      "-subj",
      "/CN=server",
      "-keyout",
      path("key"),
      "-out",
      path("csr"),
    ]);
    await writeFile(path("ext"), `subjectAltName=IP:${address}\n`);
    const signer = [
      "-CA",
      this.file,
      "-CAkey",
      this.#keyFile,
      "-set_serial",
      `0x${randomBytes(8).toString("hex")}`,
    ];
    const result = ["-days", String(days), "-extfile", path("ext"), "-out", path("crt")];
    await exec(["openssl", "x509", "-req", "-in", path("csr"), ...signer, ...result]);
    return { file: path("crt"), keyFile: path("key") };
  }
}
