/**
 * Tests that what central has acknowledged is there after a power cut: of a file system that is shut down
 * under it without writing anything more.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { openDatabase } from "../../../central/src/store/sqlite/open-database.ts";
import { findSetting } from "../../../central/src/store/tables/setting.ts";
import { PowerCutDisk } from "../support/disks/power-cut-disk.ts";

const cuts = 6;
const sizeMb = 512;

let disk: PowerCutDisk;
before(async () => {
  disk = await PowerCutDisk.create(sizeMb);
});
after(() => disk[Symbol.asyncDispose]());

/**
 * Answers the numbers that were acknowledged before the cut. Later ones are no promise, as nobody hears them
 * when the power is gone: a sync that is under way while the journal is aborted finds its transaction neither
 * running nor being committed, and may answer that it is done.
 */
async function writeUntilCut(path: string, first: number): Promise<Set<number>> {
  const acknowledged = new Set<number>();
  const program = spawn(
    process.execPath,
    [join(import.meta.dirname, "../support/store/write-settings.ts"), path, String(first)],
    {
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const lines = createInterface(program.stdout);
  lines.on("line", (line) => acknowledged.add(Number(line)));
  const ended = Promise.all([once(program, "exit"), once(lines, "close")]);
  try {
    await once(lines, "line");
    await delay(randomInt(50, 1_500));
    const promised = new Set(acknowledged);
    disk.cut();
    return promised;
  } finally {
    program.kill("SIGKILL");
    await ended;
  }
}

test("every write that was acknowledged is there after a power cut", async (t) => {
  const path = join(disk.path, "central.sqlite");
  const values = new Set<number>();
  for (let cut = 0; cut < cuts; cut++) {
    const acknowledged = await writeUntilCut(path, (cut + 1) * 1_000_000);
    await disk.startAgain();
    for (const number of acknowledged) values.add(number);
    await using opened = await openDatabase(path);
    for (const number of values) {
      assert.equal(
        await findSetting(opened.db, `setting-${number}`),
        String(number).repeat(100),
        `${number}, after cut ${cut}`,
      );
    }
  }
  t.diagnostic(`${values.size} writes acknowledged, ${cuts} cuts`);
  assert.ok(values.size > cuts * 20);
});
