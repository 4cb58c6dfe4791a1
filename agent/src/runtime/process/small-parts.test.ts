import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readlink, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { parseConfig } from "../../config.ts";
import { LocalPorts } from "./local-ports.ts";
import { installNotices } from "./no-isolation.ts";
import { ownEnvironment, withPython } from "./own-environment.ts";
import { familyOf, isAlive, parseCpuTime, readProcessTable, startByPs, startOf } from "./process-table.ts";
import { ownerText } from "../../../../test/support/projects/owner-text.ts";

test("ps tells of a process what the kernel tells, and of one that has ended nothing", async () => {
  const child = spawn("sleep", ["3600"]);
  const { pid = 0 } = child;
  const startedAt = (await startOf(pid)) ?? "";
  assert.notEqual(startedAt, "");
  assert.match((await startByPs(pid)) ?? "", /^[A-Z][a-z]{2}_[A-Z][a-z]{2}_\d+_\d\d:\d\d:\d\d_\d{4}$/);
  const row = (await readProcessTable()).find((process) => process.pid === pid);
  assert.equal(row?.parentPid, process.pid);
  assert.ok(row !== undefined && row.memoryBytes > 0);
  assert.equal(await isAlive({ pid, startedAt: `${startedAt}0` }), false, "another process with its pid");
  child.kill("SIGKILL");
  await once(child, "exit");
  assert.deepEqual(
    [await startOf(pid), await startByPs(pid), await isAlive({ pid, startedAt })],
    [undefined, undefined, false],
  );
});

test("CPU time is read as Linux and as macOS write it", () => {
  const seconds = ["00:00:01", "01:02:03", "2-00:00:01", "0:01.25", "61:01.00"].map(
    (text) => parseCpuTime(text) / 1_000_000,
  );
  assert.deepEqual(seconds, [1, 3723, 172_801, 1.25, 3661]);
});

test("a family is what descends from its roots or is in their groups, in any order", () => {
  const row = (pid: number, parentPid: number, groupId: number) => ({
    pid,
    parentPid,
    groupId,
    memoryBytes: 0,
    cpuUsec: 0,
  });
  const table = [
    row(13, 12, 99),
    row(10, 1, 10),
    row(12, 10, 12),
    row(20, 1, 10),
    row(21, 20, 21),
    row(30, 1, 30),
  ];
  assert.deepEqual(
    familyOf([10], table).map(({ pid }) => pid),
    [13, 10, 12, 20, 21],
  );
});

test("ports are told apart, remembered and given back", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-ports-"));
  t.after(() => rm(directory, { recursive: true }));
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  const file = join(directory, "ports.json");
  const ports = await LocalPorts.open(file);
  const other = await ports.claim("a", port);
  assert.notEqual(other, port, "somebody listens there");
  probe.close();
  await once(probe, "close");
  assert.equal(await ports.claim("a", port), port);
  const second = await ports.claim("b", port);
  assert.notEqual(second, port, "it is the first one's, also while that is down");
  const later = await LocalPorts.open(file);
  assert.deepEqual([later.find("a"), later.find("b"), later.find("c")], [port, second, undefined]);
  await later.release("a");
  assert.equal(await later.claim("b", port), port);
});

test("a file of ports that a power cut has torn gave none", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-ports-"));
  t.after(() => rm(directory, { recursive: true }));
  const file = join(directory, "ports.json");
  for (const torn of ["", "\0\0\0", '{"a":80', '{"a":"80"}', "null"]) {
    await writeFile(file, torn);
    const ports = await LocalPorts.open(file);
    assert.equal(ports.find("a"), undefined, torn);
    const port = await ports.claim("b", 1);
    assert.equal((await LocalPorts.open(file)).find("b"), port);
  }
  assert.deepEqual(await readdir(directory), ["ports.json"], "nothing else stays");
});

test("projects that start at the same moment get a port each, and all are remembered", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-ports-"));
  t.after(() => rm(directory, { recursive: true }));
  const file = join(directory, "ports.json");
  const ports = await LocalPorts.open(file);
  const wanted = await ports.claim("first", 1);
  await ports.release("first");
  const projectIds = Array.from({ length: 8 }, (_, index) => `project-${index}`);
  const claimed = await Promise.all(projectIds.map((projectId) => ports.claim(projectId, wanted)));
  assert.equal(new Set(claimed).size, projectIds.length, claimed.join());
  const later = await LocalPorts.open(file);
  assert.deepEqual(
    projectIds.map((projectId) => later.find(projectId)),
    claimed,
  );
});

test("without a port to have, the claim fails and says why; meanwhile the agent does other things", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-ports-"));
  t.after(() => rm(directory, { recursive: true }));
  const script = `
    import { openSync } from "node:fs";
    import { LocalPorts } from ${JSON.stringify(new URL("local-ports.ts", import.meta.url).href)};
    const ports = await LocalPorts.open(${JSON.stringify(join(directory, "ports.json"))});
    let turns = 0;
    setInterval(() => (turns += 1), 1);
    try { for (;;) openSync("/dev/null"); } catch {}
    const claimed = await ports.claim("a", 8080).then(String, (error) => error.message + ": " + error.cause?.code);
    process.stdout.write(claimed + (turns > 0 ? ", others had their turn" : ""));
    process.exit();`;
  // The limit is for this program alone; Node raises the lower of the two limits to the higher one by itself.
  const argv = ["-c", 'ulimit -n 64 && exec "$0" --input-type=module --eval "$1"', process.execPath, script];
  const { stdout } = await promisify(execFile)("sh", argv, { timeout: 30_000, killSignal: "SIGKILL" });
  assert.equal(stdout, "there is no free port: EMFILE, others had their turn");
});

test("a machine with python3 alone has python, too, behind its own", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-python-"));
  t.after(() => rm(directory, { recursive: true }));
  const [bin, aliases] = [join(directory, "bin"), join(directory, "aliases")];
  await mkdir(bin);
  assert.equal(await withPython(aliases, bin), bin);
  await writeFile(join(bin, "python3"), "", { mode: 0o755 });
  for (const _again of [1, 2]) assert.equal(await withPython(aliases, bin), `${bin}:${aliases}`);
  assert.equal(await readlink(join(aliases, "python")), join(bin, "python3"));
  await writeFile(join(bin, "python"), "", { mode: 0o755 });
  assert.equal(await withPython(aliases, bin), bin);
});

test("the runtime is chosen by name only, and never for a central on another machine", () => {
  assert.equal(parseConfig({}).runtime, "nspawn");
  for (const host of ["127.0.0.1", "localhost", "[::1]", "127.1.2.3"]) {
    assert.equal(
      parseConfig({ TIJOLO_RUNTIME: "process", TIJOLO_CENTRAL_URL: `http://${host}:8080` }).runtime,
      "process",
    );
  }
  for (const host of [
    "central.example",
    "10.0.0.1",
    "127.0.0.1.example.com",
    "localhost.example.com",
    "0.0.0.0",
    "127.0.0.1@10.0.0.1",
  ]) {
    assert.throws(
      () => parseConfig({ TIJOLO_RUNTIME: "process", TIJOLO_CENTRAL_URL: `http://${host}:8080` }),
      /no isolation/,
      host,
    );
  }
  assert.throws(() => parseConfig({ TIJOLO_RUNTIME: "simulated" }), /TIJOLO_RUNTIME must be/);
});

test("each install says that there is no isolation, and what the machine does not install", () => {
  assert.match(
    installNotices({ language: "node", systemPackages: [] }).map(ownerText).join("\n"),
    /sem isolamento[^]*O node usado é o que está instalado/,
  );
  assert.match(
    installNotices({ language: "static", systemPackages: ["git"] })
      .map(ownerText)
      .join("\n"),
    /precisa ter git/,
  );
});

test("a path of the container is one of this machine, also a file's that only a container sees there", () => {
  const files = [{ source: "/srv/agent/a.targets", target: "/usr/local/lib/a.targets" }];
  const requested = { A: "/usr/local/lib/a.targets", B: "/app/.venv", C: "/usr/local/lib/other" };
  const environment = ownEnvironment(requested, {
    app: "/p/app",
    home: "/p/home",
    hostPath: "/bin",
    port: null,
    files,
  });
  assert.deepEqual(
    [environment["A"], environment["B"], environment["C"]],
    ["/srv/agent/a.targets", "/p/app/.venv", "/usr/local/lib/other"],
  );
});
