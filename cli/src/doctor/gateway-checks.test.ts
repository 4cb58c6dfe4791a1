import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { certificateFor } from "../../../test/support/certificates/made-certificate.ts";
import { checkCertificates } from "./gateway-checks.ts";

const dayMs = 24 * 60 * 60 * 1000;

test("the certificate that ends first is judged by the time that it has left", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-certificates-"));
  t.after(() => rm(directory, { recursive: true }));
  assert.equal(await checkCertificates(join(directory, "none")), null);
  assert.equal(await checkCertificates(directory), null);
  const { certificate, privateKey } = certificateFor("loja.example.org");
  await writeFile(join(directory, "one.pem"), `${privateKey}${certificate}`);
  const { status = "", found = "" } = (await checkCertificates(directory)) ?? {};
  assert.equal(status, "ok");
  assert.match(found, /^DNS:loja\.example\.org, /);
  const endMs = Date.parse(found.split(", ").at(-1) ?? "");
  const statusAt = async (nowMs: number) => (await checkCertificates(directory, nowMs))?.status;
  assert.deepEqual([await statusAt(endMs - 4 * dayMs), await statusAt(endMs + dayMs)], ["warn", "fail"]);
});
