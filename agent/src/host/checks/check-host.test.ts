import assert from "node:assert/strict";
import { test } from "node:test";
import { readCgroupLayout } from "../cgroups/cgroup-detect.ts";
import { checkHost, checkLayout, isInitramfsRoot, isKernelAtLeast } from "./check-host.ts";

test("kernel versions are compared as numbers", () => {
  assert.deepEqual(
    ["5.4.0", "5.18.9", "5.19", "5.19.0-rc1", "6.1.0-13-amd64", "10.0", "nonsense"].map((text) =>
      isKernelAtLeast(text, [5, 19]),
    ),
    [false, false, true, true, true, true, false],
  );
});

test("every problem comes with what to do about it", async () => {
  for (const { problem, howToFix } of await checkHost())
    assert.ok(problem.length > 10 && howToFix.length > 10);
});

test("on cgroup v1 the hierarchy of systemd must be mounted, wherever version 2 is", () => {
  const controllers = ["memory", "pids", "cpu", "cpuacct"].map(
    (name) => `cgroup /sys/fs/cgroup/${name} cgroup rw,${name} 0 0`,
  );
  const problemsOf = (...mounts: string[]) => {
    const layout = readCgroupLayout([...controllers, ...mounts].join("\n"), false);
    assert.ok(layout.kind === "v1");
    return checkLayout(layout).map(({ howToFix }) => howToFix);
  };
  const named = "cgroup /sys/fs/cgroup/systemd cgroup rw,name=systemd 0 0";
  for (const unified of ["/sys/fs/cgroup/unified", "/mnt/cgroup2"]) {
    const mount = `cgroup2 ${unified} cgroup2 rw 0 0`;
    assert.deepEqual(problemsOf(mount, named), []);
    assert.match(problemsOf(mount).join(), /mount -t cgroup -o none,name=systemd/);
  }
});

test("a machine that has stayed in its initramfs is told apart from one that went on to a root of its own", () => {
  const initramfs = "1 1 0:2 / / rw - rootfs rootfs rw";
  const proc = "20 1 0:19 / /proc rw,nosuid - proc proc rw";
  assert.ok(isInitramfsRoot([initramfs, proc].join("\n")));
  for (const root of [
    "23 1 254:0 / / rw shared:1 - ext4 /dev/root rw",
    "23 1 0:30 / / rw master:2 shared:1 - tmpfs tmpfs rw",
  ]) {
    assert.ok(!isInitramfsRoot([root, proc].join("\n")));
    assert.ok(!isInitramfsRoot([initramfs, root, proc].join("\n")));
  }
  assert.ok(!isInitramfsRoot(""));
});
