/** Makes a certificate that is good by itself, signed by an authority whose key no server of today accepts. */

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exec } from "../../../agent/src/host/exec.ts";

/** Returns the chain and the key in PEM, valid for two days. The authority's key has 1,024 bits. */
export async function weakChainFor(name: string): Promise<{ certificate: string; privateKey: string }> {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-test-weak-"));
  const openssl = (...argv: string[]) => exec(["openssl", ...argv], { cwd: directory });
  try {
    const authority = ["-newkey", "rsa:1024", "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=weak"];
    await openssl("req", "-x509", "-noenc", "-days", "2", ...authority);
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
    await openssl("req", "-noenc", ...curve, "-keyout", "key.pem", "-out", "csr.pem", "-subj", `/CN=${name}`);
    await writeFile(join(directory, "names"), `subjectAltName=DNS:${name}\n`);
    const signer = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names"];
    await openssl("x509", "-req", "-in", "csr.pem", ...signer, "-days", "2", "-out", "leaf.pem");
    const text = (file: string) => readFile(join(directory, file), "utf8");
    return {
      certificate: `${await text("leaf.pem")}${await text("ca.pem")}`,
      privateKey: await text("key.pem"),
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}
