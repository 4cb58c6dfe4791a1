import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../../../../test/support/until.ts";
import { removeTree } from "../../host/files/trees.ts";
import { bringBack } from "./bring-back.ts";
import { uncover } from "./uncover.ts";

const names = Array.from({ length: 2_000 }, (_, index) => `file-${index}`);

function countIn(directory: string): number {
  try {
    return readdirSync(directory).filter((name) => name.startsWith("file-")).length;
  } catch {
    return 0;
  }
}

/** Runs an exported function of this folder in an agent of its own, which is killed once `isMidway`. */
async function killMidway(
  { file, call }: { file: string; call: string },
  values: object,
  isMidway: () => boolean,
): Promise<void> {
  const url = JSON.stringify(join(import.meta.dirname, file));
  const program = `const given = JSON.parse(process.argv[1]); const { uncover, bringBack } = await import(${url}); await ${call};`;
  const agent = spawn(process.execPath, ["--input-type=module", "--eval", program, JSON.stringify(values)], {
    stdio: "inherit",
  });
  const ended = once(agent, "exit");
  await until(isMidway, { everyMs: 1 });
  agent.kill("SIGKILL");
  await ended;
}

test("an agent that is killed while it moves files away or back loses none, and the next one goes on", async (context) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-aside-"));
  context.after(() => removeTree(directory));
  const layer = join(directory, "code");
  const upper = join(directory, "app");
  const set = join(directory, "replaced/2");
  const staging = `${set}.restoring`;
  for (const place of [layer, upper]) await mkdir(join(place, "d"), { recursive: true });
  for (const name of names) {
    closeSync(openSync(join(layer, "d", name), "w"));
    writeFileSync(join(upper, "d", name), "own");
  }
  const aside = { set, merging: `${set}.merging`, earlier: undefined, kept: 0 };
  const isAside = () => countIn(join(set, "d")) > 0;
  await killMidway(
    { file: "uncover.ts", call: "uncover(given.layer, given.upper, given.aside)" },
    { layer, upper, aside },
    isAside,
  );
  const moved = countIn(join(set, "d"));
  assert.ok(moved > 0 && moved < names.length, `it was killed in the middle: ${moved}`);
  assert.equal(moved + countIn(join(upper, "d")), names.length, "each is in one of the two places");
  await uncover(layer, upper, aside);
  assert.deepEqual([countIn(join(set, "d")), countIn(join(upper, "d"))], [names.length, 0]);

  const back = { staging: set, set: staging, upper, layers: [layer] };
  await killMidway(
    { file: "bring-back.ts", call: "bringBack(given)" },
    back,
    () => countIn(join(upper, "d")) > 0,
  );
  const returned = countIn(join(upper, "d"));
  assert.ok(returned > 0 && returned < names.length, `it was killed in the middle: ${returned}`);
  assert.equal(returned + countIn(join(set, "d")), names.length);
  await bringBack(back);
  await rm(aside.merging);
  assert.equal(countIn(join(upper, "d")), names.length);
  assert.deepEqual(await readdir(join(directory, "replaced")), []);
});
