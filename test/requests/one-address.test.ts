/**
 * One address does its worst to a central that has few descriptors: it holds as many connections as it gets
 * at API, link and gateway, and has hellos refused without end. Agents come back meanwhile, keys call and
 * visitors visit, and all of them are answered.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { loadIdentity, joinCluster } from "@tijolo/protocol/kit/link";
import { RawAgent } from "../link/raw-agent.ts";
import { Operator } from "../support/cluster/operator.ts";
import { until } from "../support/until.ts";

const descriptors = 512;
/** Together well over what the process has. */
const connectionsPerDoor = 300;
const worst = "127.0.0.2";
const upgrade =
  "GET /link HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

test(
  "one address that does its worst keeps no agent, no key and no visitor out",
  { timeout: 120_000 },
  async (t) => {
    const central = await startCentral(t);
    const operator = new Operator(central.api, central.operatorToken);
    const account = await operator.createAccount({ plan: "Stack", level: "read", scopes: [] });
    const identity = await loadIdentity(join(central.directory, "identity.pem"));
    const { hostId } = await joinCluster({
      centralUrl: central.api,
      token: await operator.createJoinToken(),
      name: "a",
      identity,
    });
    const stop = new AbortController();
    t.after(() => stop.abort());
    const doors = { api: central.api, link: central.api, gateway: central.gateway };
    const held = Object.entries(doors).map(([door, url]) =>
      hold(url, door === "link" ? upgrade : "", stop.signal),
    );
    const refusals = refuseHellos(central.api, stop.signal);
    await until(() => held.every(({ tried }) => tried() >= connectionsPerDoor) && refusals.count() > 20, {
      timeoutMs: 60_000,
    });

    for (let round = 0; round < 20; round++) {
      using agent = await RawAgent.open(Number(new URL(central.api).port));
      await agent.hello({ hostId, identity });
      await account.client.listProjects();
      const visit = await fetch(central.gateway, { headers: { connection: "close" } });
      assert.equal(visit.status, 404);
    }
    const open = (await readdir(`/proc/${central.pid}/fd`)).length;
    t.diagnostic(
      `${held.map(({ open: count }) => count()).join(", ")} connections held, ${refusals.count()} hellos refused, ${open} descriptors`,
    );
    assert.ok(open < descriptors / 2, `${open} of ${descriptors} descriptors are open`);
    assert.ok(
      held.some(({ open: count }) => count() > 0),
      "nothing was held",
    );
    assert.ok(central.log().length < 30, "refusals fill the log");
  },
);

async function startCentral(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-one-address-"));
  const main = join(import.meta.dirname, "../../central/src/main.ts");
  const child = spawn("prlimit", [`--nofile=${descriptors}:${descriptors}`, process.execPath, main], {
    env: {
      PATH: process.env["PATH"],
      TIJOLO_DATA_DIRECTORY: directory,
      TIJOLO_LISTEN: "127.0.0.1:0",
      TIJOLO_GATEWAY_LISTEN: "127.0.0.1:0",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(async () => {
    child.kill("SIGKILL");
    await rm(directory, { recursive: true, force: true });
  });
  let written = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (written += text));
  const log = () => written.split("\n").slice(0, -1);
  const serves = await until(() => log().find((line) => line.includes("central serves")));
  const { api, gateway } = JSON.parse(serves) as { api: string; gateway: string };
  const operatorToken = (await readFile(join(directory, "first-operator-token"), "utf8")).trim();
  return { api, gateway, directory, operatorToken, pid: child.pid, log };
}

/** Holds as many connections of the worst address as there are to have: what is closed is opened again. */
function hold(url: string, bytes: string, signal: AbortSignal) {
  const { hostname, port } = new URL(url);
  let open = 0;
  let tried = 0;
  const take = () => {
    if (signal.aborted) return;
    tried += 1;
    const socket = connect({ host: hostname, port: Number(port), localAddress: worst });
    const leave = () => socket.destroy();
    signal.addEventListener("abort", leave);
    socket
      .on("error", () => {})
      .once("connect", () => {
        open += 1;
        socket.once("close", () => (open -= 1));
        if (bytes !== "") socket.write(bytes);
      });
    socket.once("close", () => {
      signal.removeEventListener("abort", leave);
      setTimeout(take, 1_000).unref();
    });
  };
  for (let index = 0; index < connectionsPerDoor; index++) take();
  return { open: () => open, tried: () => tried };
}

/** Has one hello after the other refused, from an address of its own, for the worst one has no place left. */
function refuseHellos(url: string, signal: AbortSignal) {
  let count = 0;
  const refuse = async () => {
    const socket = await RawAgent.open(Number(new URL(url).port), "127.0.0.3");
    const hello = socket.helloInput(
      "01ARZ3NDEKTSV4RRFFQ69G5FAV",
      "control",
      randomBytes(64).toString("base64url"),
    );
    await socket.call("hello", hello).catch(() => (count += 1));
    socket[Symbol.dispose]();
  };
  void (async () => {
    while (!signal.aborted) await refuse().catch(() => {});
  })();
  return { count: () => count };
}
