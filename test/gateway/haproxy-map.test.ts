/** Tests that a map of HAProxy is as it is to be, whenever the program that changes it ends. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { HaproxyMap, mapText, readShownMap } from "../../central/gateway/src/haproxy/haproxy-map.ts";
import type { RuntimeApi } from "../../central/gateway/src/haproxy/runtime-api.ts";
import { haproxyOf } from "../support/machine/haproxy.ts";
import { HaproxyFixture } from "./haproxy-fixture.ts";

const logger = { warn() {} };

/** Passes on so many commands that change something, and none after them, as a program that is killed. */
function endingAfter(api: RuntimeApi, commands: number): { api: RuntimeApi; hasEnded: () => boolean } {
  let left = commands;
  const count = () => {
    if (left-- <= 0) throw new Error("killed");
  };
  const ending = {
    ask: (command: string, timeoutMs?: number) => {
      if (!command.startsWith("show")) count();
      return api.ask(command, timeoutMs);
    },
    tell: async (command: string) => {
      count();
      await api.tell(command);
    },
  };
  return { api: ending as RuntimeApi, hasEnded: () => left < 0 };
}

const routes = (count: number, value: string) =>
  new Map(Array.from({ length: count }, (_, index) => [`site-${index}.localhost`, `${value}-${index}`]));

test("a program that is killed at any step of a change leaves the rest to the next one, and nothing odd", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  const { api, files } = fixture.haproxy;
  const file = files.routes;
  const shown = async () => readShownMap(await api.ask(`show map ${file}`, 30_000));
  const before = new Map([...routes(3, "old"), ["kept.localhost", "same"]]);
  for (const wanted of [
    new Map([...routes(2, "new"), ["kept.localhost", "same"], ["more.localhost", "new"]]),
    new Map([...routes(2_000, "new"), ["kept.localhost", "same"]]),
  ]) {
    let hasEnded = true;
    for (let step = 0; hasEnded; step++) {
      await new HaproxyMap({ file, api, logger }).apply(() => before);
      const killed = endingAfter(api, step);
      await new HaproxyMap({ file, api: killed.api, logger }).apply(() => wanted).catch(() => {});
      hasEnded = killed.hasEnded();
      const meanwhile = await shown();
      for (const [name, value] of meanwhile)
        assert.ok([before.get(name), wanted.get(name)].includes(value), `${name} after step ${step}`);
      assert.equal(meanwhile.get("kept.localhost"), "same", `step ${step}`);
      assert.equal(await readFile(file, "utf8"), mapText(wanted), "the next HAProxy starts with the new set");
      await new HaproxyMap({ file, api, logger }).apply(() => wanted);
      assert.deepEqual(Object.fromEntries(await shown()), Object.fromEntries(wanted), `step ${step}`);
    }
  }
});
