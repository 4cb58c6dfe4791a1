import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePeers } from "./wireguard-device.ts";

test("the peers of a dump are read, also those that were never heard", () => {
  const dump = [
    "private\tpublic\t51820\toff",
    "key-a\t(none)\t192.0.2.2:51820\t10.200.8.0/21\t1795684440\t180\t272\t25",
    "key-b\t(none)\t(none)\t(none)\t0\t0\t0\toff",
    "",
  ].join("\n");
  assert.deepEqual(
    [...parsePeers(dump)],
    [
      [
        "key-a",
        {
          ranges: ["10.200.8.0/21"],
          endpoint: "192.0.2.2:51820",
          hasHandshake: true,
          receivedBytes: 180,
        },
      ],
      ["key-b", { ranges: [], endpoint: undefined, hasHandshake: false, receivedBytes: 0 }],
    ],
  );
  assert.equal(parsePeers("private\tpublic\t51820\toff\n").size, 0);
});
