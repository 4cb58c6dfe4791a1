/** Tests that a map of HAProxy is as it is to be, whenever the program that changes it is killed. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { HaproxyMap, mapText, readShownMap } from "../../central/gateway/src/haproxy/haproxy-map.ts";
import { haproxyOf } from "../support/machine/haproxy.ts";
import { HaproxyFixture } from "./haproxy-fixture.ts";

const logger = { warn() {} };
const program = join(import.meta.dirname, "killed-map-change.ts");

const routes = (count: number, value: string) =>
  new Map(Array.from({ length: count }, (_, index) => [`site-${index}.localhost`, `${value}-${index}`]));

/** Has a program of its own make the entries, and kills it after so many commands. Returns how it ended. */
async function changeKilled(
  fixture: HaproxyFixture,
  wanted: ReadonlyMap<string, string>,
  commands: number,
): Promise<"killed" | "done"> {
  const entriesFile = join(fixture.directory, "entries.json");
  await writeFile(entriesFile, JSON.stringify([...wanted]));
  const apiSocket = join(fixture.directory, "run", "api");
  const argv = [program, apiSocket, fixture.haproxy.files.routes, entriesFile, String(commands)];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "inherit", "inherit"] });
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  assert.ok(code === 0 || signal === "SIGKILL", `it ended with ${code ?? signal}`);
  return code === 0 ? "done" : "killed";
}

test("a program that is killed at any step of a change leaves the rest to the next one, and nothing odd", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  const { api, files } = fixture.haproxy;
  const file = files.routes;
  const shown = async () => readShownMap(await api.ask(`show map ${file}`, 30_000));
  const before = new Map([...routes(3, "old"), ["kept.localhost", "same"]]);
  for (const [wanted, leastSteps] of [
    [new Map([...routes(2, "new"), ["kept.localhost", "same"], ["more.localhost", "new"]]), 4],
    [new Map([...routes(2_000, "new"), ["kept.localhost", "same"]]), 3],
  ] as const) {
    let steps = 0;
    for (let end = ""; end !== "done"; steps++) {
      await new HaproxyMap({ file, api, logger }).apply(() => before);
      end = await changeKilled(fixture, wanted, steps);
      const meanwhile = await shown();
      for (const [name, value] of meanwhile)
        assert.ok([before.get(name), wanted.get(name)].includes(value), `${name} after step ${steps}`);
      assert.equal(meanwhile.get("kept.localhost"), "same", `step ${steps}`);
      assert.equal(await readFile(file, "utf8"), mapText(wanted), "the next HAProxy starts with the new set");
      // What a kill within the writing of the file would leave.
      await writeFile(`${file}.new`, mapText(wanted).slice(0, 20));
      await new HaproxyMap({ file, api, logger }).apply(() => wanted);
      assert.deepEqual(Object.fromEntries(await shown()), Object.fromEntries(wanted), `step ${steps}`);
    }
    assert.ok(steps > leastSteps, `killed ${steps - 1} times`);
  }
});
