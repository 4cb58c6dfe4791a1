/**
 * Projects that open connections without end, to the outside or to each other, do not fill the one table that
 * all the host's connections are in.
 */

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { exec } from "../../../agent/src/host/exec.ts";
import { createNetwork, type Network } from "../../../agent/src/network/network.ts";
import { removeDead } from "../support/host/remove-dead.ts";

/** Subnets, another for each test: what the kernel still knows of the test before counts to nobody else. */
const subnets = ["10.231.18.0/26", "10.231.18.64/26", "10.231.18.128/26", "10.231.18.192/26"];
const flows = 12_000;
const connectionLimit = 2_000;
/** A connection that has just ended is counted by the limit no longer, and by the table for a moment more. */
const tolerance = 500;

let directory: string;
before(async () => {
  await removeDead();
  directory = await mkdtemp(join(tmpdir(), "tijolo-connections-"));
});
after(() => rm(directory, { recursive: true, force: true }));

/** TEST-NET-2: routed, and answered by nobody. */
const [outside, resolver] = ["198.51.100.7", "198.51.100.53"];

async function withNetwork<T>(limit: number, work: (network: Network) => Promise<T>): Promise<T> {
  const cidr = subnets.pop() ?? assert.fail("a subnet for each test");
  const instanceName = `test-flood-${process.pid}-${subnets.length}`;
  const stateDirectory = join(directory, instanceName);
  const logger = { info() {}, warn() {} };
  const network = await createNetwork({
    instanceName,
    cidr,
    stateDirectory,
    connectionLimit: limit,
    resolvers: [resolver],
    logger,
  });
  try {
    return await work(network);
  } finally {
    await network.destroy();
  }
}

const targets = {
  neighbour: "another project of the account",
  outside: "the outside",
  resolver: "the host's resolver",
} as const;

/**
 * Returns how many connections of the project the kernel knows, once one packet each has been sent to as many
 * ports of the address, or to port 53 from as many.
 */
async function flood(network: Network, target: keyof typeof targets): Promise<number> {
  const [one, two] = await Promise.all([
    network.claim("one", { accountId: "A" }),
    network.claim("two", { accountId: "A" }),
  ]);
  const address = { neighbour: two.address, outside, resolver }[target];
  const fromManyPorts = `let port = 20000, sent = 0; const { createSocket } = require("node:dgram");
    const some = () => { if (sent >= ${flows}) return console.log("sent " + sent);
      let open = 500; const next = () => { if (--open === 0) some(); };
      for (let i = 0; i < 500; i++) { const socket = createSocket("udp4"); sent++; socket.on("error", () => socket.close(next));
        socket.bind(port++, () => socket.send("x", 53, "${address}", () => socket.close(next))); } };
    some();`;
  const toManyPorts = `const socket = require("node:dgram").createSocket("udp4"); let sent = 0;
    const some = () => { if (sent >= ${flows}) return socket.close(() => console.log("sent " + sent));
      let open = 500; for (let i = 0; i < 500; i++) socket.send("x", 1024 + sent++, "${address}", () => { if (--open === 0) some(); }); };
    socket.on("error", () => {}); some();`;
  let most = 0;
  let isOver = false;
  const sending = exec(
    [
      "nsenter",
      `--net=${one.namespacePath}`,
      process.execPath,
      "-e",
      target === "resolver" ? fromManyPorts : toManyPorts,
    ],
    { timeoutMs: 90_000 },
  );
  const counting = (async () => {
    // Looked at all the time: each is forgotten half a minute after its packet.
    while (!isOver) {
      most = Math.max(most, await connectionCount(one.address));
      await delay(50);
    }
  })();
  const { stdout } = await sending.finally(() => (isOver = true));
  await counting;
  assert.equal(stdout.trim(), `sent ${flows}`);
  return most;
}

async function connectionCount(source: string): Promise<number> {
  const table = await readFile("/proc/net/nf_conntrack", "utf8");
  // Each line names the source first as the project has it, then as the answer is to come back.
  return table.split(` src=${source} dst=`).length - 1;
}

test("without a limit the flood fills the table", async (t) => {
  const made = await withNetwork(1_000_000, (network) => flood(network, "neighbour"));
  t.diagnostic(`${made} connections`);
  assert.ok(made > connectionLimit + tolerance, `only ${made}`);
});

for (const target of ["neighbour", "outside", "resolver"] as const) {
  test(`a flood of connections to ${targets[target]} ends at the project's limit`, async (t) => {
    const made = await withNetwork(connectionLimit, (network) => flood(network, target));
    t.diagnostic(`${made} connections of ${flows} tried`);
    assert.ok(made < connectionLimit + tolerance, `${made} connections`);
  });
}
