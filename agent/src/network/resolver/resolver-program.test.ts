import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const program = join(import.meta.dirname, "resolver-program.ts");

/**
 * An agent that runs on while its files are replaced by newer ones starts this program as its own version was
 * started.
 */
test("started without the descriptors of leave-host.pl, it ends with a reason and leaves no record, which would say that it serves", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-resolver-"));
  t.after(() => rm(directory, { recursive: true }));
  const child = spawn(process.execPath, [program, directory, "127.77.0.1", "a-namespace", "a-revision"], {
    stdio: "ignore",
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  assert.equal(code, 1);
  assert.match(await readFile(join(directory, "resolver.log"), "utf8"), /leave-host\.pl/);
  assert.ok(!existsSync(join(directory, "process.json")), "it has left a record");
});
