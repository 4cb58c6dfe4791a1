import assert from "node:assert/strict";
import { test } from "node:test";
import { readCgroupLayout } from "./cgroup-detect.ts";

const v1 = (controller: string) => `cgroup /sys/fs/cgroup/${controller} cgroup rw,relatime,${controller} 0 0`;
const unified = "cgroup2 /sys/fs/cgroup/unified cgroup2 rw,relatime 0 0";

test("a machine with only version 2 is used directly, or through systemd", () => {
  const mounts = "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid,nsdelegate 0 0";
  assert.deepEqual(readCgroupLayout(mounts, false), {
    kind: "v2",
    mount: "/sys/fs/cgroup",
    isSystemd: false,
  });
  assert.deepEqual(readCgroupLayout(mounts, true), { kind: "v2", mount: "/sys/fs/cgroup", isSystemd: true });
});

test("controllers of version 1 with an empty version 2 beside them, also where two share a mount", () => {
  const named = "cgroup /sys/fs/cgroup/systemd cgroup rw,xattr,name=systemd 0 0";
  const mounts = [v1("memory"), v1("pids"), v1("cpu,cpuacct"), v1("blkio"), named, unified].join("\n");
  assert.deepEqual(readCgroupLayout(mounts, false), {
    kind: "v1",
    mounts: {
      unified: "/sys/fs/cgroup/unified",
      memory: "/sys/fs/cgroup/memory",
      pids: "/sys/fs/cgroup/pids",
      cpu: "/sys/fs/cgroup/cpu,cpuacct",
      cpuacct: "/sys/fs/cgroup/cpu,cpuacct",
      blkio: "/sys/fs/cgroup/blkio",
      systemd: "/sys/fs/cgroup/systemd",
    },
  });
});

test("without version 2, or with half of the controllers, limits cannot be set", () => {
  assert.equal(readCgroupLayout([v1("memory"), v1("pids")].join("\n"), false).kind, "unusable");
  assert.equal(readCgroupLayout([v1("memory"), unified].join("\n"), false).kind, "unusable");
});
