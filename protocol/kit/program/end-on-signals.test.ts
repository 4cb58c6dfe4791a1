import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

/** A program whose end takes as long as `dispose` does; resolves once it waits for signals. */
async function start(t: TestContext, dispose: string, deadlineMs = 60_000) {
  const source = `
    import { endOnSignals } from ${JSON.stringify(join(import.meta.dirname, "end-on-signals.ts"))};
    const say = (_fields, message) => console.log(message);
    const logger = { info: say, error: say };
    const program = { [Symbol.asyncDispose]: async () => { ${dispose} } };
    endOnSignals(program, { name: "it", logger, message: "it stops", deadlineMs: ${deadlineMs} });
    setInterval(() => {}, 1_000);
    console.log("ready");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  const said: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => said.push(...text.trim().split("\n")));
  while (!said.includes("ready")) await once(child.stdout, "data");
  return { child, said, closed: once(child, "close") };
}

test("one that closes its parts ends with 0, one that cannot with 1 and why", async (t) => {
  for (const [dispose, code, last] of [
    ["", 0, "it stops"],
    ['throw new Error("no")', 1, "it did not stop cleanly"],
  ] as const) {
    const { child, said, closed } = await start(t, dispose);
    child.kill("SIGTERM");
    assert.deepEqual(await closed, [code, null]);
    assert.equal(said.at(-1), last);
  }
});

test("one that does not come to an end ends at its deadline", async (t) => {
  const { child, said, closed } = await start(t, "await new Promise(() => {})", 200);
  child.kill("SIGTERM");
  assert.deepEqual(await closed, [1, null]);
  assert.equal(said.at(-1), "it has not stopped in time and ends as it is");
});

test("a second signal ends it at once, unless it came with the first", async (t) => {
  const { child, said, closed } = await start(t, "await new Promise(() => {})");
  const begunMs = performance.now();
  const signals = setInterval(() => child.kill("SIGINT"), 50);
  t.after(() => clearInterval(signals));
  assert.deepEqual(await closed, [1, null]);
  assert.ok(performance.now() - begunMs > 1_000);
  assert.deepEqual(said.slice(-2), ["it stops", "it is told to stop once more and ends as it is"]);
});
