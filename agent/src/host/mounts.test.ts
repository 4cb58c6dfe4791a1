import assert from "node:assert/strict";
import { test } from "node:test";
import { idmapOption, mountTable } from "./mounts.ts";

test("a mount table has one line a mount, with awkward characters escaped", () => {
  const table = mountTable([
    { source: "/a b\tc\\d#e", target: "/x\ny", type: "none", options: ["bind", idmapOption(1_000_000, 65_536)] },
    { source: "overlay", target: "/r", type: "overlay", options: ["lowerdir=l0:l1"] },
  ]);
  assert.deepEqual(table.split("\n"), [
    "/a\\040b\\011c\\134d\\043e /x\\012y none bind,X-mount.idmap=b:0:1000000:65536 0 0",
    "overlay /r overlay lowerdir=l0:l1 0 0",
    "",
  ]);
});
