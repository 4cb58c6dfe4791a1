/** What central has acknowledged is there after a power cut: of a file system that is shut down under it without writing anything more. */

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { openDatabase } from "../../central/src/db/open-database.ts";
import { findSetting } from "../../central/src/db/setting.ts";
import { until } from "../support/until.ts";
import { loopFilesBelow, unmountBelow } from "./support/project-disk.ts";

const cuts = 6;
const sizeMb = 512;
/** `EXT4_IOC_SHUTDOWN` with `EXT4_GOING_FLAGS_NOLOGFLUSH` (linux/fs/ext4/ext4.h): what is in memory only stays out, also of the journal. */
const shutDown = `open(my $directory, '<', $ARGV[0]) or die "$!"; my $how = pack('L', 2); ioctl($directory, 0x8004587d, $how) or die "shutdown: $!"`;

let directory: string;
let disk: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "tijolo-power-cut-"));
  disk = join(directory, "disk");
  // As agents do: what is unmounted here goes in every namespace that was made meanwhile, and their copies hold the disk no longer.
  execFileSync("mount", ["--bind", directory, directory]);
  execFileSync("mount", ["--make-shared", directory]);
  execFileSync("mkdir", [disk]);
  execFileSync("truncate", ["--size", `${sizeMb}M`, `${disk}.img`]);
  execFileSync("mkfs.ext4", ["-q", `${disk}.img`]);
  mount();
});
after(async () => {
  await unmountBelow(directory);
  await rm(directory, { recursive: true });
});

const mount = () => execFileSync("mount", ["-o", "loop", `${disk}.img`, disk]);

/** In all namespaces: its memory is gone then. */
async function unmount(): Promise<void> {
  await unmountBelow(disk);
  await until(() => !loopFilesBelow(directory).includes(`${disk}.img`));
}

/**
 * Answers the numbers that were acknowledged before the cut. Later ones are no promise, as nobody hears them when the power is gone: a sync
 * that is under way while the journal is aborted finds its transaction neither running nor being committed, and may answer that it is done.
 */
async function writeUntilCut(path: string, first: number): Promise<Set<number>> {
  const acknowledged = new Set<number>();
  const program = spawn(process.execPath, [join(import.meta.dirname, "support/write-settings.ts"), path, String(first)], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const lines = createInterface(program.stdout);
  lines.on("line", (line) => acknowledged.add(Number(line)));
  const ended = Promise.all([once(program, "exit"), once(lines, "close")]);
  try {
    await once(lines, "line");
    await delay(randomInt(50, 1_500));
    const promised = new Set(acknowledged);
    execFileSync("perl", ["-e", shutDown, disk]);
    return promised;
  } finally {
    program.kill("SIGKILL");
    await ended;
  }
}

test("every write that was acknowledged is there after a power cut", async (t) => {
  const path = join(disk, "central.sqlite");
  const values = new Set<number>();
  for (let cut = 0; cut < cuts; cut++) {
    const acknowledged = await writeUntilCut(path, (cut + 1) * 1_000_000);
    await unmount();
    mount();
    for (const number of acknowledged) values.add(number);
    await using opened = await openDatabase(path);
    for (const number of values) {
      assert.equal(await findSetting(opened.db, `setting-${number}`), String(number).repeat(100), `${number}, after cut ${cut}`);
    }
  }
  t.diagnostic(`${values.size} writes acknowledged, ${cuts} cuts`);
  assert.ok(values.size > cuts * 20);
});
