import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Language } from "@tijolo/protocol";
import { ownerText } from "../../../test/support/projects/owner-text.ts";
import { sampleAssignment } from "../../../test/support/samples.ts";
import { until } from "../../../test/support/until.ts";
import { canConnect } from "./can-connect.ts";
import { parseListeners, type Listener } from "./listeners.ts";
import { explainListeners, PortWatch, type PortWatchOptions } from "./port-watch.ts";

const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
   1: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 2 1 0 100 0 0 10 0
   2: 0500C80A:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 3 1 0 100 0 0 10 0
   3: 0500C80A:C350 01020304:01BB 01 00000000:00000000 00:00000000 00000000     0        0 4 1 0 100 0 0 10 0
  sl  local_address                         remote_address                        st tx_queue rx_queue
   0: 00000000000000000000000000000000:0050 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000
   1: 00000000000000000000000001000000:0051 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000
   2: 0000000000000000FFFF00000100007F:0052 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000
`;

test("the kernel's table tells who listens where", () => {
  assert.deepEqual(parseListeners(table), [
    { on: "any", port: 8080 },
    { on: "loopback", port: 3000 },
    { on: "address", port: 8081 },
    { on: "any", port: 80 },
    { on: "loopback", port: 81 },
    { on: "loopback", port: 82 },
  ]);
});

function told(listeners: Listener[], language: Language): string | undefined {
  const message = explainListeners(listeners, { language, port: 8080 });
  return message && ownerText(message);
}

test("a site is told what keeps visits from it", () => {
  const explain = (...listeners: Listener[]) => told(listeners, "node");
  assert.equal(explain({ on: "any", port: 8080 }), undefined);
  assert.equal(explain({ on: "loopback", port: 8080 }, { on: "address", port: 8080 }), undefined);
  assert.match(
    explain({ on: "loopback", port: 8080 }) ?? "",
    /só em 127\.0\.0\.1.*Ouça em 0\.0\.0\.0: app\.listen/,
  );
  assert.match(
    explain({ on: "any", port: 3000 }) ?? "",
    /ouve a porta 3000, mas as visitas chegam na porta 8080.*PORT/,
  );
  assert.match(explain({ on: "any", port: 2 }, { on: "any", port: 1 }) ?? "", /as portas 1, 2/);
  assert.match(explain() ?? "", /Nada ouve a porta 8080 ainda/);
  assert.match(told([], "php") ?? "", /deixe command vazio.*já ouve lá\.$/);
  assert.match(told([], "elixir") ?? "", /ip: \{0, 0, 0, 0\}.*System\.get_env\("PORT"\)/);
});

interface Rig extends Disposable {
  watch: PortWatch;
  /** Ids of the projects whose program listens. */
  listening: Set<string>;
  /** Number of each project's newest run; a project without an entry runs no more. */
  running: Map<string, number>;
  /** Records the calls of the watch, in order. */
  calls: string[];
  tries: number;
}

function createRig(options: Partial<PortWatchOptions> = {}): Rig {
  const rig: Omit<Rig, "watch" | typeof Symbol.dispose> = {
    listening: new Set(),
    running: new Map([["site", 2]]),
    calls: [],
    tries: 0,
  };
  const watch = new PortWatch({
    async isListening(projectId, port) {
      assert.equal(port, 8080);
      rig.tries += 1;
      return rig.listening.has(projectId);
    },
    findHealth: () => undefined,
    askHealth: async () => assert.fail("there is no health path"),
    readListeners: async () => [],
    isRunning: (projectId, runNumber) => rig.running.get(projectId) === runNumber,
    onSeen: (projectId, runNumber, seen) =>
      void rig.calls.push(`${projectId} ${runNumber} ${seen === "reachable" ? "listens" : "is late"}`),
    say: async (projectId, message) => void rig.calls.push(`${projectId} ${ownerText(message).slice(0, 9)}`),
    logger: { warn: () => {} },
    ...options,
  });
  return Object.assign(rig, { watch, [Symbol.dispose]: () => watch[Symbol.dispose]() });
}

const { settings } = sampleAssignment();
const site = { ...settings, type: "site" as const, port: 8080 };

test("the first run that listens is told of once, and nothing is said in its log", async () => {
  using rig = createRig();
  rig.watch.watch("site", 1, site);
  rig.watch.watch("site", 2, site);
  rig.watch.watch("bot", 1, { ...settings, port: null });
  rig.watch.watch("files", 1, { ...settings, language: "static" });
  await until(() => rig.tries > 0);
  rig.listening.add("site");
  await until(() => rig.calls.length > 0);
  const { tries } = rig;
  await delay(250);
  // Without another try nothing more can be said: that a site is late is found out in one.
  assert.deepEqual([rig.calls, rig.tries], [["site 2 listens"], tries]);
});

test("a site that does not listen in time is told what to do once, and is watched on", async () => {
  using rig = createRig({ afterMs: 50 });
  rig.watch.watch("site", 2, site);
  await until(() => rig.calls.length > 0);
  await delay(150);
  rig.listening.add("site");
  await until(() => rig.calls.length > 2);
  assert.deepEqual(rig.calls, ["site Nada ouve", "site 2 is late", "site 2 listens"]);
});

test("a site with a health path is ready once it answers there, and its log is told what it answered last", async () => {
  const answers: (number | null)[] = [null, 503];
  using rig = createRig({
    afterMs: 50,
    findHealth: () => ({ path: "/health", host: "shop.example.com" }),
    askHealth: async () => answers.at(-1) ?? null,
    say: async (_, message) => void rig.calls.push(ownerText(message)),
  });
  rig.listening.add("site");
  rig.watch.watch("site", 2, site);
  await until(() => rig.calls.length > 1);
  answers.push(302);
  await until(() => rig.calls.length > 2);
  assert.deepEqual(rig.calls, [
    "O site respondeu com 503 em /health (healthPath). As visitas só chegam quando a resposta ali for de 200 a 399.",
    "site 2 is late",
    "site 2 listens",
  ]);
});

test("a health path that is taken away while the site does not answer there counts no more", async () => {
  let health: { path: string; host: string } | undefined = { path: "/health", host: "shop.example.com" };
  using rig = createRig({ findHealth: () => health, askHealth: async () => 404 });
  rig.listening.add("site");
  rig.watch.watch("site", 2, site);
  await until(() => rig.tries > 1);
  assert.deepEqual(rig.calls, []);
  health = undefined;
  await until(() => rig.calls.length > 0);
  assert.deepEqual(rig.calls, ["site 2 listens"]);
});

test("what an earlier agent has written to the log is not written again", async () => {
  using rig = createRig({ afterMs: 50 });
  rig.watch.watch("site", 2, site, 50);
  await until(() => rig.tries > 1);
  assert.deepEqual(rig.calls, ["site 2 is late"]);
});

test("the watch ends with the run, also when that ends in the middle of a try", async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<boolean>();
  using rig = createRig({
    isListening: () => {
      asked.resolve();
      return answer.promise;
    },
  });
  rig.watch.watch("site", 2, site);
  await asked.promise;
  rig.running.delete("site");
  answer.resolve(true);
  await delay(10);
  using ended = createRig();
  ended.watch.watch("site", 1, site);
  await delay(10);
  assert.deepEqual([rig.calls, ended.calls, ended.tries], [[], [], 0]);
});

test("a try costs little: ten in the first second, and fewer later", async () => {
  using rig = createRig();
  rig.watch.watch("site", 2, site);
  await delay(500);
  assert.ok(rig.tries <= 6, `${rig.tries} tries in half a second`);
  using old = createRig();
  old.watch.watch("site", 2, site, 20_000);
  await delay(500);
  assert.equal(old.tries, 1);
});

test("what fails in a try is logged, and tried again", async () => {
  const warnings: unknown[] = [];
  using rig = createRig({
    isListening: () => Promise.reject(new Error("no namespace")),
    logger: { warn: (fields: unknown) => void warnings.push(fields) },
  });
  rig.watch.watch("site", 2, site);
  await until(() => warnings.length > 0);
  assert.deepEqual(rig.calls, []);
});

test("a port is found open by a connection, and closed by none", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  assert.equal(await canConnect("127.0.0.1", port), true);
  server.close();
  await once(server, "close");
  assert.equal(await canConnect("127.0.0.1", port), false);
});
