import assert from "node:assert/strict";
import { once } from "node:events";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { run } from "./exec.ts";

test("a program ends with its code and what it printed, by its deadline at the latest", async () => {
  assert.deepEqual(await run(["sh", "-c", "echo out; exit 3"], { timeoutMs: 30_000 }), {
    code: 3,
    output: "out\n",
  });
  assert.equal((await run(["sleep", "1000"], { timeoutMs: 50 })).code, -1);
});

test("a missing program resolves at once with -1 and leaves no timer", async () => {
  const source = `
    import { run } from ${JSON.stringify(join(import.meta.dirname, "exec.ts"))};
    console.log((await run(["no-such-program"], { timeoutMs: 3_600_000 })).code);`;
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", source];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], timeout: 60_000 });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const [code] = (await once(child, "close")) as [number | null];
  assert.deepEqual([code, printed], [0, "-1\n"]);
});
