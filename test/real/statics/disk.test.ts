/** Tests that a project's disk can be unmounted while nginx serves its files, and that visits do not notice. */

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ImageDisks } from "../../../agent/src/disk/image-disks.ts";
import { loopDevices } from "../../../agent/src/disk/loop-devices.ts";
import { projectIdOf } from "../../gateway/haproxy-fixture.ts";
import { StaticHost } from "../support/statics/static-host.ts";

const logger = { info() {}, warn() {}, error() {} };

test("the disk of a served site gets smaller and is removed as that of any other project", async () => {
  await using host = await StaticHost.create();
  await using disks = await ImageDisks.create({
    dataDirectory: host.directory,
    release: (projectId) => host.sites.release(projectId),
    restore: (projectId) => host.sites.restore(projectId),
    logger,
  });
  const projectId = projectIdOf("one");
  await disks.open(projectId, { limitMb: 200, isUp: false });
  const files = join(host.directory, "projects", projectId, "site");
  await mkdir(files);
  await writeFile(join(files, "index.html"), "home");
  await host.serve("one", { files, compressed: join(files, "none"), isApp: false, isWhole: false });
  assert.equal((await host.get("one")).body, "home");
  await disks.open(projectId, { limitMb: 100, isUp: false });
  assert.equal((await disks.usage(projectId)).limitMb, 100, "it was unmounted");
  assert.equal((await host.get("one")).body, "home", "from the disk as it is now");
  await host.sites.withdraw(projectId);
  await disks.remove(projectId);
  const isOfHost = (image: string) => image.startsWith(host.directory);
  assert.deepEqual([...(await loopDevices()).keys()].filter(isOfHost), []);
});
