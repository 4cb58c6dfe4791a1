import assert from "node:assert/strict";
import { test } from "node:test";
import { parseMounts } from "./mount-table.ts";
import { diskKindOn } from "./open-project-disks.ts";

const line = (fileSystem: string, options: string, mountPoint = "/srv") =>
  `36 35 8:1 / ${mountPoint} rw,noatime shared:1 master:2 - ${fileSystem} /dev/sda1 ${options}`;

test("a line of the mount table is read, with blanks in its path and any number of optional fields", () => {
  assert.deepEqual(
    parseMounts(`${line("ext4", "rw,prjquota", String.raw`/srv/a\040b`)}\n1 2 0:3 / / rw - tmpfs none rw\n`),
    [
      {
        device: "8:1",
        mountPoint: "/srv/a b",
        fileSystem: "ext4",
        source: "/dev/sda1",
        options: ["rw", "prjquota"],
      },
      { device: "0:3", mountPoint: "/", fileSystem: "tmpfs", source: "none", options: ["rw"] },
    ],
  );
});

test("quotas are used where they are enforced, images everywhere else", () => {
  const kindOf = (fileSystem: string, options: string) =>
    diskKindOn(parseMounts(line(fileSystem, options))[0]);
  assert.equal(kindOf("ext4", "rw,prjquota"), "ext4-quota");
  assert.equal(kindOf("xfs", "rw,prjquota"), "xfs-quota");
  for (const [fileSystem, options] of [
    ["ext4", "rw"],
    ["ext4", "rw,usrquota"],
    ["xfs", "rw,pqnoenforce"],
    ["btrfs", "rw,prjquota"],
  ] as const)
    assert.equal(kindOf(fileSystem, options), "image");
  assert.equal(diskKindOn(undefined), "image");
});
