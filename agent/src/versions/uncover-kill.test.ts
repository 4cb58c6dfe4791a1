import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../../../test/support/until.ts";
import { uncover } from "./merge/uncover.ts";

const files = 20_000;
const names = Array.from({ length: files }, (_, index) => `file-${index}`);

function countIn(directory: string): number {
  try {
    return readdirSync(directory).length;
  } catch {
    return 0;
  }
}

/**
 * Kills an agent that has new code win over what the project wrote, when part of a directory has been moved.
 */
async function killWhileItMoves(layer: string, upper: string): Promise<void> {
  const program = `await (await import(${JSON.stringify(join(import.meta.dirname, "merge/uncover.ts"))})).uncover(...process.argv.slice(1));`;
  const agent = spawn(process.execPath, ["--input-type=module", "--eval", program, layer, upper], {
    stdio: "inherit",
  });
  const ended = once(agent, "exit");
  await until(
    () =>
      [...readdirSync(join(upper, "deep"))].some(
        (name) => name !== "data" && countIn(join(upper, "deep", name)) > 0,
      ),
    {
      everyMs: 1,
    },
  );
  agent.kill("SIGKILL");
  await ended;
}

test("what an agent had moved when it was killed comes back also with a version that has no such directory", async (context) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-uncover-"));
  context.after(() => rm(directory, { recursive: true }));
  const [two, three, upper] = ["two", "three", "upper"].map((name) => join(directory, name));
  assert.ok(two !== undefined && three !== undefined && upper !== undefined);
  await mkdir(join(two, "deep/data"), { recursive: true });
  await mkdir(three);
  const data = join(upper, "deep/data");
  await mkdir(data, { recursive: true });
  for (const name of names) closeSync(openSync(join(data, name), "w"));
  await killWhileItMoves(two, upper);
  const left = countIn(data);
  assert.ok(left > 0 && left < files, `it was killed in the middle: ${left} of ${files}`);
  await uncover(three, upper);
  assert.deepEqual(await readdir(join(upper, "deep")), ["data"]);
  assert.equal(countIn(data), files);
  assert.deepEqual((await readdir(directory)).sort(), ["three", "two", "upper"]);
});
