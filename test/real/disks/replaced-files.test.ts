/** Tests a project whose disk takes no further file: new code that replaces its files loses none of them. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pino } from "pino";
import { diskFaultOf } from "../../../agent/src/disk/disk-full.ts";
import { DiskFullError } from "../../../agent/src/disk/project-disks.ts";
import { ReplacedFiles } from "../../../agent/src/versions/merge/replaced-files.ts";
import { unmountBelow } from "../support/disks/project-disk.ts";

const projectId = "prj_full";

test("on a disk without room for a name the merge fails as a full disk, and goes on once there is room", async () => {
  const data = await mkdtemp(join(tmpdir(), "tijolo-full-replaced-"));
  await using resources = new AsyncDisposableStack();
  resources.defer(() => rm(data, { recursive: true }));
  const directory = join(data, "projects", projectId);
  await mkdir(directory, { recursive: true });
  execFileSync("mkfs.ext4", ["-q", "-N", "64", join(data, "disk.img"), "8M"], { stdio: "pipe" });
  resources.defer(() => unmountBelow(directory));
  execFileSync("mount", ["-o", "loop", join(data, "disk.img"), directory]);
  const own = join(directory, "disk/app");
  const code = join(directory, "versions/2/code");
  for (const [place, content] of [
    [own, "rows"],
    [code, "empty"],
  ] as const) {
    await mkdir(place, { recursive: true });
    await writeFile(join(place, "data.db"), content);
  }
  const fillers: string[] = [];
  await assert.rejects(
    async () => {
      for (;;) {
        const path = join(directory, `filler-${fillers.length}`);
        await writeFile(path, "");
        fillers.push(path);
      }
    },
    { code: "ENOSPC" },
  );

  const disks = { usage: async () => ({ usedMb: 8, limitMb: 8, full: "files" as const }) };
  const files = new ReplacedFiles({
    dataDirectory: data,
    clock: { now: () => Date.now() },
    disks,
    logger: pino({ level: "silent" }),
  });
  const request = {
    own,
    code,
    installed: [],
    versionNumber: 2,
    mergedVersion: 1,
    earlier: undefined,
    diskMb: 8,
  };
  const fault: unknown = await files.merge(projectId, request).catch((error: unknown) => error);
  assert.ok((await diskFaultOf({ disks, dataDirectory: data }, projectId, fault)) instanceof DiskFullError);
  assert.equal(await readFile(join(own, "data.db"), "utf8"), "rows");

  for (const path of fillers.slice(0, 4)) await rm(path);
  const [set] = await files.merge(projectId, request);
  assert.deepEqual(set?.paths, ["data.db"]);
  assert.equal(await readFile(join(directory, "replaced/2/data.db"), "utf8"), "rows");
});
