import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Language } from "@tijolo/protocol";
import { ownerText } from "../../../test/support/owner-text.ts";
import { sampleAssignment } from "../../../test/support/samples.ts";
import { parseListeners, type Listener } from "./listeners.ts";
import { explainListeners, PortWatch } from "./port-watch.ts";

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

test("the watch looks once, at sites, and only while the run it was set for goes on", async () => {
  const said: string[] = [];
  const running = new Map([
    ["site", 2],
    ["old", 3],
  ]);
  using watch = new PortWatch({
    readListeners: async () => [],
    isRunning: (projectId, runNumber) => running.get(projectId) === runNumber,
    say: async (projectId, message) => void said.push(`${projectId} ${ownerText(message).slice(0, 9)}`),
    logger: { warn: () => {} },
    afterMs: 1,
  });
  const { settings } = sampleAssignment();
  const site = { ...settings, type: "site" as const, port: 8080 };
  watch.watch("site", 1, site);
  watch.watch("site", 2, site);
  watch.watch("old", 2, site);
  watch.watch("bot", 1, { ...settings, type: "bot", port: null });
  for (let waitedMs = 0; said.length === 0 && waitedMs < 5_000; waitedMs += 5) await delay(5);
  await delay(20);
  assert.deepEqual(said, ["site Nada ouve"]);
});

/** Watches one site whose readings are these, one after the other, and returns what was seen. */
async function seenWith(readings: (Listener[] | undefined)[]): Promise<string[]> {
  const seen: string[] = [];
  let looks = 0;
  using watch = new PortWatch({
    readListeners: async () => readings[Math.min(looks++, readings.length - 1)],
    isRunning: () => true,
    say: async () => {},
    logger: { warn: () => {} },
  });
  const { settings } = sampleAssignment();
  watch.watch("site", 1, { ...settings, type: "site", port: 8080 }, (each) => {
    seen.push(typeof each === "string" ? each : each.code);
  });
  for (let waitedMs = 0; seen.length < readings.length && waitedMs < 5_000; waitedMs += 5) await delay(5);
  await delay(300);
  return seen;
}

test("the watch goes on until the site can be reached, and tells each time what it saw", async () => {
  const listens: Listener[] = [{ on: "any", port: 8080 }];
  assert.deepEqual(await seenWith([[], [{ on: "loopback", port: 8080 }], listens]), [
    "site_without_port",
    "site_on_loopback",
    "reachable",
  ]);
  assert.deepEqual(await seenWith([undefined]), ["unknown"]);
});
