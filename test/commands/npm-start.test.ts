/** Tests `npm start` as a program: nothing that happens to it or to one service ends the other. */

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createClient } from "@tijolo/protocol";
import { freePort } from "../support/machine/free-port.ts";
import { Operator } from "../support/cluster/operator.ts";
import { until } from "../support/until.ts";

const repository = join(import.meta.dirname, "../..");
const startsTimeoutMs = 60_000;

/**
 * Prepares the state of a cluster after its first start, so that no example is deployed. Killed and removed
 * at the end of the test.
 */
async function prepareCluster(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-npm-start-"));
  const started: ChildProcess[] = [];
  t.after(async () => {
    for (const child of started)
      if (child.exitCode === null && child.signalCode === null) await end(child, "SIGKILL");
    await rm(directory, { recursive: true, force: true, maxRetries: 20 });
  });
  const listen = `127.0.0.1:${await freePort()}`;
  const environment = {
    PATH: process.env["PATH"],
    TIJOLO_LISTEN: listen,
    TIJOLO_GATEWAY_LISTEN: `127.0.0.1:${await freePort()}`,
  };
  const httpsListen = `127.0.0.1:${await freePort()}`;
  const start = (
    argv: readonly string[],
    settings: Record<string, string>,
    output: "ignore" | "pipe" | number,
  ) => {
    const env = { ...environment, ...settings };
    const child = spawn(process.execPath, argv, { cwd: repository, env, stdio: ["ignore", output, output] });
    started.push(child);
    return child;
  };
  const tokenFile = join(directory, "operator-token");
  await mkdir(join(directory, "central"));
  const ofCentral = { TIJOLO_DATA_DIRECTORY: join(directory, "central"), TIJOLO_BOOTSTRAP_FILE: tokenFile };
  const central = start(["central/src/main.ts"], ofCentral, "ignore");
  const token = await until(async () => (await readFile(tokenFile, "utf8")).trim(), {
    timeoutMs: startsTimeoutMs,
  });
  const operator = new Operator(`http://${listen}`, token);
  const joinToken = await until(() => operator.createJoinToken());
  await writeFile(join(directory, "join-token"), `${joinToken}\n`, { mode: 0o600 });
  assert.equal(await end(central, "SIGTERM"), 0);
  return {
    directory,
    url: `http://${listen}`,
    /** The panel's address has a name: browsers bind passkeys to names. */
    panelUrl: `http://${listen.replace("127.0.0.1", "localhost")}`,
    isConnected: async () => (await operator.hosts()).some(({ state }) => state === "connected"),
    npmStart: (output: "pipe" | number) =>
      start(
        ["cli/src/start/main.ts", "--runtime", "process"],
        { TIJOLO_DATA_DIRECTORY: directory, TIJOLO_HTTPS_LISTEN: httpsListen, TIJOLO_LANG: "en" },
        output,
      ),
  };
}

/** Resolves with its exit code; null when a signal was its end. */
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const ended = once(child, "exit");
  child.kill(signal);
  const [code] = await ended;
  return code as number | null;
}

test(
  "a cluster comes up, stays and ends in order when nothing of what npm start says can be written",
  { timeout: 180_000 },
  async (t) => {
    const { isConnected, npmStart } = await prepareCluster(t);
    const full = openSync("/dev/full", "a");
    t.after(() => closeSync(full));
    const outputs = {
      "to a reader that is gone": () => {
        const start = npmStart("pipe");
        start.stdout?.destroy();
        start.stderr?.destroy();
        return start;
      },
      "to a full disk": () => npmStart(full),
    };
    for (const [output, startWith] of Object.entries(outputs)) {
      const start = startWith();
      await until(() => start.exitCode !== null || isConnected(), { timeoutMs: startsTimeoutMs });
      assert.equal(start.exitCode, null, output);
      assert.equal(await end(start, "SIGTERM"), 0, output);
      await until(async () => !(await isConnected().catch(() => false)));
    }
  },
);

test(
  "an agent that keeps ending is started again, each time later, and central goes on",
  { timeout: 180_000 },
  async (t) => {
    const { directory, isConnected, npmStart } = await prepareCluster(t);
    const start = npmStart("pipe");
    let said = "";
    start.stdout?.resume();
    start.stderr?.setEncoding("utf8").on("data", (text: string) => (said += text));
    const [central] = await until(() => servicesOf(start), { timeoutMs: startsTimeoutMs });
    for (const pause of ["1 s", "2 s"]) {
      await until(isConnected, { timeoutMs: startsTimeoutMs });
      const [, agent] = await until(() => servicesOf(start));
      process.kill(agent, "SIGKILL");
      const line = `agent ended (SIGKILL); starting it again in ${pause}. Log: ${join(directory, "logs-of-services", "agent.log")}`;
      await until(() => said.includes(line));
    }
    await until(async () => (await servicesOf(start)) !== null && (await isConnected()), {
      timeoutMs: startsTimeoutMs,
    });
    assert.equal((await servicesOf(start))?.[0], central);
    assert.equal(await end(start, "SIGTERM"), 0);
  },
);

test(
  "what to open stands alone and last: the link of the first person, then the panel",
  { timeout: 180_000 },
  async (t) => {
    const { directory, npmStart, url, panelUrl } = await prepareCluster(t);
    const lastLineOf = async (start: ChildProcess) => {
      let said = "";
      start.stderr?.resume();
      start.stdout?.setEncoding("utf8").on("data", (text: string) => (said += text));
      await until(() => said.includes("Ctrl-C stops") && /\n\n.*:\n\n\S+\n$/.test(said), {
        timeoutMs: startsTimeoutMs,
      });
      const [before, address] = said.trimEnd().split("\n").slice(-3).filter(Boolean);
      assert.equal(await end(start, "SIGTERM"), 0);
      return { before, address: address ?? "", said };
    };
    const first = await lastLineOf(npmStart("pipe"));
    assert.match(first.before ?? "", /^Open this link in the browser and create your account/);
    assert.match(first.address, new RegExp(`^${panelUrl}/start#token=tjl_[\\w-]{43}$`));
    const token = new URL(first.address).hash.slice("#token=".length);
    const logs = await readFile(join(directory, "logs-of-services", "central.log"), "utf8");
    assert.ok(!logs.includes(token), "no log has the token");

    const start = npmStart("pipe");
    const link = await until(
      async () => {
        const text = (await readFile(join(directory, "central", "start-link"), "utf8")).trim();
        return text !== first.address && text;
      },
      { timeoutMs: startsTimeoutMs },
    );
    const body = {
      token: new URL(link).hash.slice("#token=".length),
      email: "ana@example.com",
      password: "uma senha bem comprida",
    };
    await createClient({ baseUrl: `${url}/api`, fetch }).createFirstPerson({ body });
    assert.equal((await lastLineOf(start)).address, link, "it was there at the start");
    const after = await lastLineOf(npmStart("pipe"));
    assert.deepEqual([after.before, after.address], ["Open the panel in the browser:", `${panelUrl}/`]);
  },
);

test("the panel is there without anybody having built it", { timeout: 180_000 }, async (t) => {
  const { url, panelUrl, npmStart } = await prepareCluster(t);
  const start = npmStart("pipe");
  let said = "";
  start.stdout?.resume();
  start.stderr?.setEncoding("utf8").on("data", (text: string) => (said += text));
  await until(() => said.includes(`panel at ${panelUrl}`), { timeoutMs: startsTimeoutMs });
  const page = await fetch(url, { headers: { accept: "text/html" } });
  assert.equal(page.status, 200);
  const [, script = ""] = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text()) ?? [];
  assert.equal((await fetch(url + script)).headers.get("content-encoding"), "gzip");
  assert.equal(await end(start, "SIGTERM"), 0);
});

/** Returns the pids of central and agent, once both run. */
async function servicesOf({ pid }: ChildProcess): Promise<[number, number] | null> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8"))
    .trim()
    .split(" ")
    .map(Number);
  const commands = await Promise.all(children.map((child) => readFile(`/proc/${child}/cmdline`, "utf8")));
  const [central, agent] = ["central", "agent"].map((name) =>
    children.find((_, index) => commands[index]?.includes(`/${name}/src/main.ts`)),
  );
  return central === undefined || agent === undefined ? null : [central, agent];
}
