/**
 * Tests nested user namespaces, the way to most kernel holes: each wall by itself, and an agent that takes no
 * project without the first.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { assertFilterHolds } from "../../../agent/src/host/checks/check-filter.ts";
import { HostNotFitError } from "../../../agent/src/host/checks/check-host.ts";
import { systemCallNumber } from "../../../agent/src/host/sandbox/seccomp.ts";
import { Tools } from "../../../agent/src/host/checks/tools.ts";
import { NspawnRuntime } from "../../../agent/src/runtime/nspawn/nspawn-runtime.ts";
import { ContainerHost, until } from "../support/host/container-host.ts";
import { perlOnHost } from "./attack.ts";

const initScript = join(import.meta.dirname, "../../../agent/src/runtime/nspawn/init.sh");
const unshare = systemCallNumber("unshare", process.arch);

let host: ContainerHost;
let directory: string;
before(async () => {
  host = await ContainerHost.create();
  directory = await mkdtemp(join(tmpdir(), "tijolo-namespaces-"));
});
after(async () => {
  await host[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

/** Makes the tools that containers get, in a directory of their own where the filter may be spoilt. */
async function ownTools(name: string): Promise<Tools> {
  const dataDirectory = join(directory, name);
  await mkdir(dataDirectory);
  execFileSync("cp", ["--archive", join(host.processInput().tools.dataDirectory, "tools"), dataDirectory]);
  return Tools.create({ dataDirectory, initScript });
}

test("the agent's own proof of the filter passes here", async (t) => {
  const tools = await ownTools("sound");
  const fromMs = performance.now();
  await assertFilterHolds(tools);
  t.diagnostic(`${(performance.now() - fromMs).toFixed(0)} ms`);
});

test("an agent whose filter does not hold refuses to take projects, and says what to do", async () => {
  const allowAll = Buffer.from("06000000 0000ff7f".replaceAll(" ", ""), "hex");
  for (const [name, filter] of Object.entries({
    "lets everything through": allowAll,
    "is no filter": Buffer.from("nonsense!"),
  })) {
    const tools = await ownTools(name);
    await writeFile(join(tools.insideDirectory, "filter.bpf"), filter);
    await assert.rejects(assertFilterHolds(tools), (error) => {
      assert.ok(error instanceof HostNotFitError, String(error));
      assert.match(error.message, /does not hold on this machine.*→.*kernel/s);
      return true;
    });
  }
});

test("without its filter a program is not started", async () => {
  const tools = await ownTools("spoilt");
  await writeFile(join(tools.insideDirectory, "filter.bpf"), "nonsense!");
  const runtime = await NspawnRuntime.create({
    dataDirectory: host.dataDirectory,
    instanceName: host.instanceName,
    tools,
    logger: { info() {}, warn() {}, error() {} },
    clock: { now: () => new Date() },
  });
  const request = await host.request("echo the program ran", { projectId: "prj_bare" });
  await assert.rejects(runtime.start(request), /could not be started/);
  assert.deepEqual((await host.log("prj_bare")).stdout, []);
  assert.deepEqual(await host.pids(), []);
  await runtime.close();
});

const kinds = ["user", "mnt", "pid", "ipc", "uts", "net", "cgroup", "time"];

test("a container's own count of namespaces is zero, which ends the making of them by itself", async () => {
  // On the host, without the filter: nested namespaces can be made until their count is zero.
  const nest = `sub nested { my $child = fork; if ($child == 0) { $! = 0; my $made = syscall(${unshare}, 0x10000000) == 0; syswrite(STDOUT, ($made ? 'made' : $! + 0) . "\\n"); exit 0 } waitpid($child, 0) }
    syscall(${unshare}, 0x10000000) == 0 or die "unshare: $!";
    for (['setgroups', 'deny'], ['uid_map', '0 0 1'], ['gid_map', '0 0 1']) { my ($name, $text) = @$_; open(my $map, '>', "/proc/self/$name") or die "$name: $!"; syswrite($map, $text) or die "$name: $!" }
    nested();
    open(my $count, '>', '/proc/sys/user/max_user_namespaces') or die "count: $!"; syswrite($count, '0') or die "count: $!"; close $count;
    nested();`;
  assert.deepEqual(perlOnHost(nest), ["made", "28"]);

  const onHost = kinds.map((kind) => readFileSync(`/proc/sys/user/max_${kind}_namespaces`, "utf8").trim());
  const files = kinds.map((kind) => `/proc/sys/user/max_${kind}_namespaces`);
  const exit = await host.run(
    `cat ${files.join(" ")}; for f in ${files.join(" ")}; do (echo 9 > $f) 2>/dev/null && echo raised; done; true`,
  );
  assert.deepEqual(
    exit.stdout,
    kinds.map(() => "0"),
  );
  assert.ok(onHost.every((count) => Number(count) > 0));
  assert.deepEqual(
    kinds.map((kind) => readFileSync(`/proc/sys/user/max_${kind}_namespaces`, "utf8").trim()),
    onHost,
  );
});

const debianSetting = "/proc/sys/kernel/unprivileged_userns_clone";

test(
  "Debian's setting ends it for every user of the machine",
  { skip: !existsSync(debianSetting) && "this kernel lacks the setting" },
  () => {
    const before = readFileSync(debianSetting, "utf8");
    const asNobody = () => {
      try {
        execFileSync("setpriv", ["--reuid=65534", "--clear-groups", "unshare", "-U", "true"], {
          stdio: "ignore",
        });
        return "made";
      } catch {
        return "denied";
      }
    };
    try {
      execFileSync("sysctl", ["-qw", "kernel.unprivileged_userns_clone=1"]);
      assert.equal(asNobody(), "made", "the attack itself does not work");
      execFileSync("sysctl", ["-qw", "kernel.unprivileged_userns_clone=0"]);
      assert.equal(asNobody(), "denied");
    } finally {
      execFileSync("sysctl", ["-qw", `kernel.unprivileged_userns_clone=${before.trim()}`]);
    }
  },
);

test("another project's namespaces cannot be entered: they are not there, and setns is refused for its own", async () => {
  const victim = await host.start("exec sleep 60", { projectId: "prj_victim" });
  await until(async () => (await host.pids()).length > 0);
  const [pid = 0] = await host.pids();
  assert.ok((await readdir(`/proc/${pid}/ns`)).includes("user"));
  const setns = systemCallNumber("setns", process.arch);
  await host.writeCode(
    "enter.pl",
    `for my $kind (qw(user mnt net pid ipc uts cgroup)) { open(my $f, '<', "/proc/1/ns/$kind") or do { print "$kind closed\\n"; next }; $! = 0; print "$kind ", syscall(${setns}, fileno $f, 0) == 0 ? 'entered' : $! + 0, "\\n" }
     print -e "/proc/${pid}" && readlink("/proc/${pid}/ns/mnt") ne readlink("/proc/self/ns/mnt") ? "sees the victim\\n" : "sees nobody\\n";`,
  );
  const exit = await host.run("perl enter.pl");
  assert.deepEqual(exit.stdout, [
    ...["user", "mnt", "net", "pid", "ipc", "uts", "cgroup"].map((kind) => `${kind} 1`),
    "sees nobody",
  ]);
  await host.runtime.stop("prj_victim", { graceMs: 100 });
  await host.runtime.forget(victim);
});
