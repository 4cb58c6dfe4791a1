/** Tests what a program in a container tries and may not; each attack is first shown to work on the host. */

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { after, before, test } from "node:test";
import { ContainerHost, until } from "../support/host/container-host.ts";

let host: ContainerHost;
before(async () => {
  host = await ContainerHost.create();
});
after(() => host[Symbol.asyncDispose]());

/** Runs the command in a throw-away mount namespace on the host, where root may do all of these. */
function worksOnHost(command: string): boolean {
  return spawnSync("unshare", ["-m", "sh", "-c", command], { stdio: "ignore" }).status === 0;
}

const attacks: Record<string, string> = {
  "make a device node": "mknod /tmp/tijolo-$$ c 1 3 && rm /tmp/tijolo-$$",
  "mount a tmpfs": "mount -t tmpfs x /mnt",
  "mount proc": "mount -t proc x /mnt",
  "remount /sys writable": "mount -o remount,rw /sys",
  "bind a directory": "mount --bind /tmp /mnt",
  "make a mount namespace": "unshare -m true",
  "make a user namespace": "unshare -U true",
  "make a user namespace with a mapping": "unshare -Ur true",
  "make a network namespace": "unshare -n true",
  "make a pid namespace": "unshare -pf true",
  "change the root directory": "chroot / true",
  "give a file away": "touch /tmp/tijolo-$$ && chown 5:5 /tmp/tijolo-$$ && rm /tmp/tijolo-$$",
  "become another user": "setpriv --reuid 1000 true",
  "write a kernel setting":
    "cat /proc/sys/kernel/core_pattern > /tmp/tijolo-$$ && cat /tmp/tijolo-$$ > /proc/sys/kernel/core_pattern; r=$?; rm /tmp/tijolo-$$; exit $r",
  "read the kernel's log": "dmesg > /dev/null",
};

for (const [name, command] of Object.entries(attacks)) {
  test(`a program cannot ${name}`, async () => {
    assert.ok(worksOnHost(command), "the attack itself does not work");
    const exit = await host.run(`(${command}) && echo succeeded || echo denied`);
    assert.deepEqual(exit.stdout, ["denied"]);
  });
}

test("a user namespace cannot be made by clone, clone3 or unshare called directly", async () => {
  const perl = (call: string) =>
    `perl -e '$clone3 = pack("Q11", 0x10000000, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0); $! = 0; my $r = syscall(${call}); exit 0 if defined $r && $r == 0; print "r=$r errno=", $! + 0, "\\n"; exit 1 if $r == -1; exit 0'`;
  // x86-64: unshare = 272, clone = 56, clone3 = 435; CLONE_NEWUSER = 0x10000000, SIGCHLD = 17
  const calls = {
    unshare: "272, 0x10000000",
    clone: "56, 0x10000011, 0, 0, 0, 0",
    clone3: "435, $clone3, 88",
  };
  if (process.arch !== "x64") return;
  for (const [name, call] of Object.entries(calls)) {
    const onHost = spawnSync("sh", ["-c", perl(call)], { encoding: "utf8" });
    assert.equal(onHost.status, 0, `${name} does not work on the host: ${onHost.stdout}${onHost.stderr}`);
    const exit = await host.run(perl(call));
    assert.equal(exit.code, 1, `${name} worked in the container`);
    assert.equal(exit.stdout[0], name === "clone3" ? "r=-1 errno=38" : "r=-1 errno=1");
  }
});

test("a program has no capability, no way to new ones, and a filter", async () => {
  const exit = await host.run("grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status");
  const caps = ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"].map((name) => `${name}:\t0000000000000000`);
  assert.deepEqual(exit.stdout, [...caps, "NoNewPrivs:\t1", "Seccomp:\t2"]);
});

test("a program's root is an id of its own range on the host", async () => {
  const request = await host.request("exec sleep 60");
  const instance = await host.runtime.start(request);
  const owners = async () =>
    execFileSync("ps", ["-o", "uid=,comm=", "-p", (await host.pids()).join(",")], { encoding: "utf8" });
  const sleep = await until(async () => (await owners()).split("\n").find((line) => line.endsWith(" sleep")));
  assert.equal(sleep.trim(), `${request.uidBase} sleep`);
  await host.runtime.stop("prj_test", { graceMs: 1_000 });
  await host.runtime.forget(instance);
});

test("a program sees neither host processes nor host files nor other cgroups", async () => {
  const exit = await host.run(
    `ls -d /proc/[0-9]* | wc -l; ls ${host.dataDirectory} 2>&1 | head -1; cat /proc/self/cgroup; ls /sys/fs/cgroup | grep -c tijolo`,
  );
  assert.ok(Number(exit.stdout[0]) <= 8, `sees ${exit.stdout[0]} processes`);
  assert.match(exit.stdout[1] ?? "", /No such file/);
  assert.ok(exit.stdout.includes("0::/"));
  assert.equal(exit.stdout.at(-1), "0");
});

test("a program cannot change its image, its uploaded files, or the tools it was started with", async () => {
  await host.writeCode("index.txt", "original\n");
  await host.run("echo changed > index.txt; echo evil > /etc/evil; rm -f /usr/bin/id");
  const own = await host.run("cat index.txt; ls /etc/evil /usr/bin/id");
  assert.deepEqual(own.stdout, ["changed", "/usr/bin/id"]);
  const other = await host.run("cat index.txt", { projectId: "prj_other" });
  assert.equal(other.code, 1);
  const tools = await host.run(
    "(echo x >> /run/tijolo/tools/init.sh) 2>/dev/null || echo denied; (touch /run/tijolo/run/x) 2>/dev/null || echo denied",
  );
  assert.deepEqual(tools.stdout, ["denied", "denied"]);
});

test("a program inherits no open file of the host", async () => {
  const exit = await host.run("ls -l /proc/self/fd | sed -n 's/.*-> //p'");
  assert.deepEqual(
    exit.stdout.filter((target) => !/^(pipe:|\/proc\/|\/dev\/null$|\/run\/tijolo\/run\/std)/.test(target)),
    [],
  );
});

test("a program cannot speak for its container's end by filling the way its exit code takes", async () => {
  const exit = await host.run(
    "perl -e 'open F, q(>), q(/run/tijolo/run/code); print F q(x) x 200000' & sleep 0.3; exit 1",
  );
  assert.deepEqual([exit.code, exit.cause], [1, "exited"]);
});
