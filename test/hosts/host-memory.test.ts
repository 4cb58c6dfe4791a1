/**
 * Tests how much memory is counted of a host: no more than an operator set, or than it reported itself when
 * it joined.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { HostResources, HostSummary, HostView } from "@tijolo/protocol";
import { chooseHost, joinHost } from "../../central/src/app/hosts/host.ts";
import { createLinkBackend } from "../../central/src/app/host-projects/create-link-backend.ts";
import { transact } from "../../central/src/store/store.ts";
import { CommandLine } from "../support/commands/command-line.ts";
import { RecordingLogger } from "../support/recording-logger.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";

const plausible: HostResources = {
  cpuCount: 4,
  memoryMb: 8_192,
  diskMb: 100_000,
  diskFreeMb: 50_000,
  operatingSystem: "Debian GNU/Linux 13",
  architecture: "x64",
};
const largest = 64 * 1024 * 1024;

let cluster: TestCluster;
let operator: CommandLine;
before(async () => {
  cluster = await TestCluster.create({ hosts: 0 });
  operator = await CommandLine.create();
  operator.environment = { TIJOLO_URL: cluster.centralUrl, TIJOLO_OPERATOR_TOKEN: cluster.operatorToken };
});
after(async () => {
  await operator[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

/** A host that joined with what an operator's command made, and says what the test has it say. */
async function joined(name: string, ...options: string[]) {
  const { app } = cluster.central;
  const { code, stdout, stderr } = await operator.run(["cluster", "host", "add", ...options, "--json"]);
  assert.equal(code, 0, stderr);
  const { token } = JSON.parse(stdout) as { token: string };
  const { hostId } = await joinHost(app, { token, name, publicKey: name.padEnd(43, "A") });
  const backend = createLinkBackend(app, { led: async () => {}, above: async () => 1 });
  return {
    hostId,
    async says(memoryMb: number) {
      await backend.hostConnected(hostId, { build: "0.1.0", resources: { ...plausible, memoryMb } });
      backend.hostFollows(hostId);
    },
    leaves: () => backend.hostDisconnected(hostId),
    seen: async () => (await cluster.operator.hosts()).find(({ id }) => id === hostId) as HostSummary,
  };
}

const chosen = () => transact(cluster.central.app.db, (tx) => chooseHost(cluster.central.app, tx, 256));

test("a host that says it grew draws no projects to itself until an operator says so, and both are shown", async () => {
  const honest = await joined("honest");
  const liar = await joined("liar");
  await honest.says(16_384);
  await liar.says(4_096);
  assert.equal(await chosen(), honest.hostId);
  const logger = new RecordingLogger();
  const original = cluster.central.app.logger.warn;
  cluster.central.app.logger.warn = logger.warn.bind(logger) as typeof original;
  await liar.says(largest);
  cluster.central.app.logger.warn = original;
  assert.deepEqual(
    logger.entries.map(({ fields }) => [
      fields["hostId"],
      fields["beforeMb"],
      fields["nowMb"],
      fields["countedMb"],
    ]),
    [[liar.hostId, 4_096, largest, 4_096]],
  );
  assert.equal(await chosen(), honest.hostId);
  const { resources, countedMemoryMb } = await liar.seen();
  assert.deepEqual([resources?.memoryMb, countedMemoryMb], [largest, 4_096]);
  const list = await operator.run(["cluster", "host", "list"], "en");
  assert.match(list.stdout, /liar .* 0\/4096 MB \(says 67108864\)/);
  assert.match(list.stdout, /honest .* 0\/16384 MB {2}/);
  const show = await operator.run(["cluster", "host", "show", "liar"], "en");
  assert.match(show.stdout, /4,096 MB: .*says that it has 67,108,864 MB.*tijolo cluster host set/);

  assert.equal((await operator.run(["cluster", "host", "set", "liar", "--memory", "32768"])).code, 0);
  assert.equal(await chosen(), liar.hostId, "an operator has accepted it");
  await liar.says(2_048);
  assert.equal((await liar.seen()).countedMemoryMb, 2_048, "what it has lost is not counted");
  assert.equal(await chosen(), honest.hostId);
  for (const host of [honest, liar]) host.leaves();
});

test("what an operator says when a machine is added bounds its first word too", async () => {
  const capped = await joined("capped", "--memory", "2048");
  await capped.says(largest);
  const { countedMemoryMb, resources } = await capped.seen();
  assert.deepEqual([countedMemoryMb, resources?.memoryMb], [2_048, largest]);
  const view = (await operator.run(["cluster", "host", "show", "capped", "--json"])).stdout;
  assert.equal((JSON.parse(view) as HostView).memory?.freeMb, 2_048 - 512);
  capped.leaves();
});

test("no amount is implausible, and no host unknown", async () => {
  for (const amount of ["0", "x", "67108865", "1.5"]) {
    assert.equal((await operator.run(["cluster", "host", "add", "--memory", amount])).code, 2, amount);
    assert.equal(
      (await operator.run(["cluster", "host", "set", "capped", "--memory", amount])).code,
      2,
      amount,
    );
  }
  assert.equal((await operator.run(["cluster", "host", "set", "capped"])).code, 2, "nothing to set");
  assert.equal((await operator.run(["cluster", "host", "set", "nobody", "--memory", "1024"])).code, 1);
});
