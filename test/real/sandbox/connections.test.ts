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
import { removeDead } from "../support/remove-dead.ts";

const cidr = "10.231.18.0/24";
const flows = 12_000;
const connectionLimit = 2_000;
/** What the host's other programs may open or close meanwhile. */
const noise = 4_000;

let directory: string;
before(async () => {
  await removeDead();
  directory = await mkdtemp(join(tmpdir(), "tijolo-connections-"));
});
after(() => rm(directory, { recursive: true, force: true }));

async function withNetwork<T>(limit: number, work: (network: Network) => Promise<T>): Promise<T> {
  const instanceName = `test-flood-${process.pid}-${limit}`;
  const stateDirectory = join(directory, instanceName);
  const network = await createNetwork({
    instanceName,
    cidr,
    stateDirectory,
    connectionLimit: limit,
    logger: { info() {}, warn() {} },
  });
  try {
    return await work(network);
  } finally {
    await network.destroy();
  }
}

/**
 * How many connections the kernel knows more, once one packet each has been sent to as many ports of the
 * address.
 */
async function flood(network: Network, target: "neighbour" | "outside"): Promise<number> {
  const [one, two] = await Promise.all([
    network.claim("one", { accountId: "A" }),
    network.claim("two", { accountId: "A" }),
  ]);
  const address = target === "neighbour" ? two.address : "198.51.100.7"; // TEST-NET-2: routed, and answered by nobody
  const script = `const socket = require("node:dgram").createSocket("udp4"); let sent = 0;
    const some = () => { if (sent >= ${flows}) return socket.close(() => console.log("sent " + sent));
      let open = 500; for (let i = 0; i < 500; i++) socket.send("x", 1024 + sent++, "${address}", () => { if (--open === 0) some(); }); };
    socket.on("error", () => {}); some();`;
  const before = await connectionCount();
  let most = 0;
  let isOver = false;
  const sending = exec(["nsenter", `--net=${one.namespacePath}`, process.execPath, "-e", script], {
    timeoutMs: 90_000,
  });
  const counting = (async () => {
    // Looked at all the time: each is forgotten half a minute after its packet.
    while (!isOver) {
      most = Math.max(most, (await connectionCount()) - before);
      await delay(50);
    }
  })();
  const { stdout } = await sending.finally(() => (isOver = true));
  await counting;
  assert.equal(stdout.trim(), `sent ${flows}`);
  return most;
}

async function connectionCount(): Promise<number> {
  return Number(await readFile("/proc/sys/net/netfilter/nf_conntrack_count", "utf8"));
}

test("without a limit the flood fills the table", async (t) => {
  const made = await withNetwork(1_000_000, (network) => flood(network, "neighbour"));
  t.diagnostic(`${made} connections more`);
  assert.ok(made > connectionLimit + noise, `only ${made}`);
});

for (const target of ["neighbour", "outside"] as const) {
  test(`a flood of connections to ${target === "neighbour" ? "another project of the account" : "the outside"} ends at the project's limit`, async (t) => {
    const made = await withNetwork(connectionLimit, (network) => flood(network, target));
    t.diagnostic(`${made} connections more of ${flows} tried`);
    assert.ok(made < connectionLimit + noise, `${made} connections`);
  });
}
