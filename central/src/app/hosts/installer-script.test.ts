import assert from "node:assert/strict";
import { test } from "node:test";
import { scriptOf } from "./installer-script.ts";

test("the script names the cluster's network for a host, which must have it free, and not for a gateway", () => {
  const parts = {
    linkUrl: "https://10.0.0.5:8444",
    authority: "PEM",
    release: { version: "1.0.0", commitTime: 0, protocol: { min: 1, max: 1 }, schemas: {}, files: [] },
    sets: [],
    clusterNetwork: "10.64.0.0/12",
  };
  const last = (kind: "host" | "gateway") =>
    scriptOf({ ...parts, kind })
      .trimEnd()
      .split("\n")
      .at(-1) ?? "";
  assert.match(
    last("host"),
    / host --central https:\/\/10\.0\.0\.5:8444 .* --network 10\.64\.0\.0\/12 "\$@"$/,
  );
  assert.doesNotMatch(last("gateway"), /--network/);
});
