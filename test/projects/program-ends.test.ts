/**
 * Tests how central and the agent begin and end as programs: with a sentence where they cannot begin, and in
 * time whoever holds a connection.
 */

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { until } from "../support/until.ts";

const repository = join(import.meta.dirname, "../..");

interface Program {
  child: ChildProcess;
  directory: string;
  /** The messages of its log so far. */
  said(): { level: number; msg: string; [field: string]: unknown }[];
  stderr(): string;
}

async function start(
  t: TestContext,
  name: "central" | "agent",
  settings: Record<string, string>,
  flags: string[] = [],
): Promise<Program> {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-program-"));
  const child = spawn(process.execPath, [...flags, join(repository, name, "src/main.ts")], {
    env: { PATH: process.env["PATH"], TIJOLO_DATA_DIRECTORY: join(directory, name), ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  t.after(async () => {
    child.kill("SIGKILL");
    await rm(directory, { recursive: true, force: true });
  });
  const written = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream]?.setEncoding("utf8").on("data", (text: string) => (written[stream] += text));
  const said = () =>
    written.stdout
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { level: number; msg: string });
  return { child, directory, said, stderr: () => written.stderr };
}

const startCentral = (t: TestContext, settings: Record<string, string> = {}, flags: string[] = []) =>
  start(
    t,
    "central",
    { TIJOLO_LISTEN: "127.0.0.1:0", TIJOLO_GATEWAY_LISTEN: "127.0.0.1:0", ...settings },
    flags,
  );

async function addresses({ said }: Program): Promise<{ api: string; gateway: string }> {
  const serves = await until(() => said().find(({ msg }) => msg === "central serves"));
  return { api: String(serves["api"]), gateway: String(serves["gateway"]) };
}

for (const name of ["central", "agent"] as const) {
  test(
    `${name} says what is wrong with its log's level, as with any other variable`,
    { timeout: 120_000 },
    async (t) => {
      const { child, said, stderr } = await start(t, name, { TIJOLO_LOG_LEVEL: "verbose" });
      assert.deepEqual(await once(child, "close"), [1, null]);
      assert.equal(stderr(), "");
      assert.deepEqual(
        said().map(({ msg }) => msg),
        ['TIJOLO_LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent, not "verbose".'],
      );
    },
  );
}

test(
  "central ends at once while strangers hold on to connections that they asked to upgrade",
  { timeout: 60_000 },
  async (t) => {
    const central = await startCentral(t);
    const { api, gateway } = await addresses(central);
    const ended = [api, gateway].map(async (address) => {
      const { hostname, port, host } = new URL(address);
      const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
      t.after(() => socket.destroy());
      socket.on("error", () => {});
      socket.write(
        `GET /nothing HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      );
      const [answer] = (await once(socket, "data")) as [Buffer];
      assert.match(answer.toString("latin1"), /^HTTP\/1\.1 404 /);
    });
    await Promise.all(ended);
    const begunMs = performance.now();
    central.child.kill("SIGTERM");
    assert.deepEqual(await once(central.child, "close"), [0, null]);
    assert.ok(performance.now() - begunMs < 4_000, "nobody was waited for");
    assert.deepEqual(
      central.said().filter(({ level }) => level > 30),
      [],
    );
  },
);

test("secrets leave central's environment before it serves", { timeout: 60_000 }, async (t) => {
  const reports = `data:text/javascript,
    import { writeFileSync } from "node:fs";
    process.on("SIGUSR2", () => writeFileSync(process.env.TOLD, JSON.stringify(process.report.getReport().environmentVariables)));`;
  const directory = await mkdtemp(join(tmpdir(), "tijolo-report-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const told = join(directory, "environment");
  const settings = {
    TIJOLO_SMTP_URL: "smtp://user:geheim@127.0.0.1:9",
    TIJOLO_MAIL_FROM: "tijolo@example.com",
    TOLD: told,
  };
  const central = await startCentral(t, settings, ["--import", reports]);
  await addresses(central);
  central.child.kill("SIGUSR2");
  await until(() => existsSync(told));
  const environment = await until(
    async () => JSON.parse((await readFile(told, "utf8")) || "null") as Record<string, string> | null,
  );
  assert.equal(
    environment["TIJOLO_MAIL_FROM"],
    settings.TIJOLO_MAIL_FROM,
    "it is the environment that is told",
  );
  assert.doesNotMatch(JSON.stringify(environment), /geheim/);
});
