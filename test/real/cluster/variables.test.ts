/** A project's variables in real containers: they arrive byte by byte, and nobody else can see them. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, type Stats } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Variables } from "@tijolo/protocol";
import { filesBelow, filesWith } from "../../support/machine/files-below.ts";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { until } from "../../support/until.ts";
import { DeployedProject, nodeProgram, shellBot } from "../support/projects/deployed-project.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";

const marker = "marker-9c41e07ab3";
const firstUid = 0x2000_0000;

/** Values that shells, line readers and encodings fail on. */
const odd: Variables = {
  QUOTES: `' " \` \\ '' '"'"' \\' $'x'`,
  LINES: "first\nsecond\r\n\n\tfourth\n",
  SHELL: "$(touch /tmp/ran) `touch /tmp/ran` ${HOME} $HOME ; exit 1 # && || | < > * ? [a] ~ !!",
  SPACES: "  around  ",
  EMPTY: "",
  EQUALS: "a=b=c",
  CONTROL: Array.from({ length: 31 }, (_, index) => String.fromCharCode(index + 1)).join("") + "\u007f",
  LATIN: Array.from({ length: 0x180 }, (_, index) => String.fromCharCode(0x80 + index)).join(""),
  WORLD: "ação 日本語 العربية \u{1F600}\u{1F468}\u200D\u{1F469} \u2028\uFEFF",
  TZ: "America/Sao_Paulo",
  PS4: "y",
  ENV: "/nowhere",
  code: "13",
  _under: "u",
  NODE_OPTIONS: "--stack-trace-limit=7",
};

/** Prints a line with the hash of every variable that it is told to, so that no value stands in a log. */
const hashing = (names: readonly string[]) => `
  const { createHash } = require("node:crypto");
  const hashes = ${JSON.stringify(names)}.map((name) => name + ":" + (name in process.env ? createHash("sha256").update(process.env[name]).digest("hex").slice(0, 12) : "none"));
  console.log("hashes " + hashes.join(" "));
  console.log("limit " + Error.stackTraceLimit + " " + new Date(0).getHours());
  setInterval(() => {}, 1000);`;
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 12);
const expectedOf = (variables: Variables) =>
  `hashes ${Object.entries(variables)
    .map(([name, value]) => `${name}:${hashOf(value)}`)
    .join(" ")}`;

let cluster: RealCluster;
let account: TestAccount;
before(async () => {
  cluster = await RealCluster.create({ agentSettings: { TIJOLO_LOG_LEVEL: "debug" } });
  account = await cluster.createAccount();
});
after(() => cluster[Symbol.asyncDispose]());

async function deployWith(variables: Variables, source: string): Promise<DeployedProject> {
  const project = await DeployedProject.create(account.client, { ...nodeProgram(source), start: false });
  await project.is("stopped");
  await account.client.setVariables({ id: project.id, body: { variables } });
  await account.client.startProject({ id: project.id });
  return project;
}

test("the program finds every value exactly as it was set", async () => {
  const project = await deployWith(odd, hashing(Object.keys(odd)));
  assert.equal(await project.prints("hashes "), expectedOf(odd));
  assert.equal(
    await project.prints("limit "),
    "limit 7 21",
    "the owner's NODE_OPTIONS and TZ count, not the defaults",
  );
  await account.client.stopProject({ id: project.id });
});

test("32 KB arrive, in one variable and in many", async () => {
  const names = Array.from({ length: 400 }, (_, index) => `NAME_${String(index).padStart(3, "0")}`);
  for (const variables of [
    { A: "ç\n'".repeat(8 * 1024 - 1) },
    Object.fromEntries(names.map((name) => [name, "v".repeat(73)])),
  ]) {
    const total = Object.entries(variables).reduce(
      (sum, [name, value]) => sum + name.length + Buffer.byteLength(value),
      0,
    );
    assert.ok(total > 32_000 && total <= 32 * 1024, String(total));
    const asked =
      Object.keys(variables).length === 1
        ? variables
        : Object.fromEntries(Object.entries(variables).slice(-5));
    const project = await deployWith(variables, hashing(Object.keys(asked)));
    assert.equal(await project.prints("hashes "), expectedOf(asked));
    await account.client.stopProject({ id: project.id });
  }
});

test("the install step has them too", async () => {
  const project = await DeployedProject.create(account.client, { ...shellBot("sleep 1000"), start: false });
  await project.is("stopped");
  await account.client.setVariables({ id: project.id, body: { variables: { TOKEN: `${marker}-install` } } });
  await project.upload(
    shellBot("sleep 1000", { installCommand: 'echo "hash $(printf %s "$TOKEN" | sha256sum)"' }),
  );
  const findLine = async () =>
    (await project.lines({ section: "install" })).find(({ stream }) => stream === "stdout");
  const { text } = await until(findLine, { timeoutMs: 60_000, everyMs: 50 });
  assert.ok(text.startsWith(`hash ${hashOf(`${marker}-install`)}`), text);
  await project.is("stopped");
});

test("no process list, no log, no database of central and no other project shows a value", async () => {
  const project = await deployWith({ SECRET: marker }, hashing(["SECRET"]));
  await project.prints("hashes ");
  const { host } = cluster;
  const own = host.pidsOf(project.id);
  const withMarker = (file: string) =>
    processIds().filter((pid) => readOr(`/proc/${pid}/${file}`).includes(marker));
  const inEnvironment = withMarker("environ");
  assert.ok(inEnvironment.length > 0, "the program does have it");
  assert.deepEqual(
    inEnvironment.filter((pid) => !own.includes(pid)),
    [],
    "and nobody beside it",
  );
  for (const file of ["cmdline", "comm", "stat"]) assert.deepEqual(withMarker(file), [], file);

  // Another project of the same account looks wherever it can.
  const spy = await DeployedProject.create(
    account.client,
    shellBot(
      `echo "found $(cat /proc/*/environ /proc/*/cmdline /run/tijolo/run/environment 2>/dev/null | grep -ac ${marker.slice(0, 6)}[-]9c4)"; ls /proc | grep -c '^[0-9]'; sleep 1000`,
    ),
  ).catch((error: unknown) => assert.fail(String(error)));
  assert.equal(await spy.prints("found "), "found 0");

  // The files in the images of projects' disks are looked at where they are mounted.
  const others = ["/images/", "/tools/", "/disks/"];
  const paths = (await filesBelow(cluster.directory)).filter(
    (path) => !others.some((folder) => path.includes(folder)),
  );
  const found = await filesWith(paths, marker);
  const { dataDirectory } = host;
  for (const path of found) {
    assert.match(
      path,
      new RegExp(`^${dataDirectory}/ledger\\.sqlite(-wal|-shm)?$`),
      "only the agent's ledger knows it",
    );
    assert.deepEqual([statSync(path).mode & 0o777, statSync(path).uid], [0o600, 0]);
  }
  assert.ok(found.length > 0, "the host can start it without central");
  for (const program of [cluster.central, host.agent]) {
    const log = await program.log();
    assert.ok(log.includes(" serves"), "it is a log");
    assert.ok(!log.includes(marker));
  }
  await account.client.stopProject({ id: spy.id });
});

test("on its way into the container only the project can read them, and then the file is gone, also when the agent is killed there", async () => {
  const project = await deployWith({ SECRET: marker }, hashing(["SECRET"]));
  await project.prints("hashes ");
  const { host } = cluster;
  const directory = join(host.dataDirectory, "runs", project.id);
  const files = () => host.runNames(project.id).map((name) => join(directory, name, "inside", "environment"));
  await until(() => files().every((path) => !existsSync(path)));

  const uid = statSync(join(host.dataDirectory, "projects", project.id, "disk", "app")).uid;
  assert.ok(uid >= firstUid);
  const caught = await until(
    async () => {
      await project.is("running");
      await account.client.restartProject({ id: project.id });
      return await catchFile(files);
    },
    { timeoutMs: 60_000 },
  );
  assert.deepEqual([caught.mode & 0o777, caught.gid === caught.uid], [0o400, true]);
  assert.ok(caught.uid === uid || caught.uid === 0, "before it is handed over it is root's");
  await host.agent.kill();
  await host.agent.start();
  await project.when(({ status, startedAt }) => status === "running" && startedAt !== null);
  await until(() => files().every((path) => !existsSync(path)));
  await until(
    async () =>
      (await project.output()).filter((line) => line === expectedOf({ SECRET: marker })).length >= 2,
  );
});

test("a host that comes back without central starts its projects with their variables", async () => {
  const project = await deployWith({ SECRET: marker }, hashing(["SECRET"]));
  await project.prints("hashes ");
  await cluster.central.kill();
  await cluster.host.reboot();
  await cluster.host.agent.start();
  await until(() => cluster.host.pidsOf(project.id).length > 0);
  await cluster.startCentral();
  await cluster.untilConnected();
  await until(
    async () =>
      (await project.output()).filter((line) => line === expectedOf({ SECRET: marker })).length === 2,
  );
});

/**
 * Resolves at the first sight of any of the files. They are there for a moment: undefined when this process did not
 * run in it.
 */
async function catchFile(files: () => string[]): Promise<Stats | undefined> {
  for (const deadlineMs = performance.now() + 5_000; performance.now() < deadlineMs; await setImmediate()) {
    for (const path of files()) {
      try {
        return statSync(path);
      } catch {
        // Not yet, or not any more.
      }
    }
  }
  return undefined;
}

function processIds(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function readOr(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // it has ended
  }
}
