/**
 * What makes this machine a host of its cluster: the data directory, which no other agent works on, its
 * ledger, its key, and a place in the cluster.
 */

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openPrivateDirectory, takeDataLock } from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import type { AgentConfig } from "./config.ts";
import { assertHostFit } from "./host/checks/check-host.ts";
import { openLedger, type Ledger } from "./ledger/ledger.ts";
import { loadIdentity } from "./link/identity.ts";
import { joinCluster } from "./link/join.ts";

type Identity = Awaited<ReturnType<typeof loadIdentity>>;

export interface Membership {
  ledger: Ledger;
  identity: Identity;
  hostId: string;
}

/**
 * Joins on the first start, which needs central. The ledger is closed, and the directory free for another,
 * with `resources`.
 */
export async function openMembership(
  config: AgentConfig,
  { runtimeName, clock, logger }: { runtimeName: string; clock: { now(): number }; logger: Logger },
  resources: AsyncDisposableStack,
): Promise<Membership> {
  const { dataDirectory } = config;
  await openPrivateDirectory(dataDirectory, logger);
  const onWait = () =>
    logger.warn({ dataDirectory }, "another agent works on the data directory; this one waits for it to end");
  resources.use(await takeDataLock(join(dataDirectory, "agent.lock"), { onWait }));
  const files = {
    path: join(dataDirectory, "ledger.sqlite"),
    copiesDirectory: join(dataDirectory, "records"),
  };
  const ledger = resources.adopt(openLedger({ ...files, clock, logger }), (opened) => opened.close());
  assertHasKey(ledger, dataDirectory);
  const identity = await loadIdentity(join(dataDirectory, "identity.pem"));
  assertSameRuntime(ledger, runtimeName);
  if (runtimeName === "nspawn") await assertHostFit();
  const hostId = ledger.hostId() ?? (await joinFirst(config, ledger, identity, runtimeName));
  return { ledger, identity, hostId };
}

/**
 * A new key is a new host, of which central wants none of the projects that are here: they would be removed.
 */
function assertHasKey(ledger: Ledger, dataDirectory: string): void {
  const projects = ledger.projectIds().length;
  if (ledger.hostId() !== undefined || projects === 0 || existsSync(join(dataDirectory, "identity.pem")))
    return;
  throw new Error(
    `${dataDirectory} holds ${projects} projects of a host whose key, identity.pem, is gone. Put that file back; or, to make this machine a new host without them, start the agent with an empty TIJOLO_DATA_DIRECTORY.`,
  );
}

/**
 * What runs under one is not found by another, and what one promised to the operator does not hold under
 * another.
 */
function assertSameRuntime(ledger: Ledger, runtime: string): void {
  const joined = ledger.runtime();
  if (joined === undefined || joined === runtime) return;
  const setting = (name: string) =>
    name === "nspawn" ? "without TIJOLO_RUNTIME" : `with TIJOLO_RUNTIME=${name}`;
  throw new Error(
    `This data directory joined its cluster with the ${joined} runtime, not ${runtime}. Start it ${setting(joined)}, or give the ${runtime} runtime a TIJOLO_DATA_DIRECTORY of its own and join it as a new host.`,
  );
}

async function joinFirst(
  config: AgentConfig,
  ledger: Ledger,
  identity: Identity,
  runtime: string,
): Promise<string> {
  const advice = "Run `tijolo cluster host add` and start the agent with the token it prints";
  if (config.joinTokenFile === null) throw new Error(`This machine has not joined a cluster. ${advice}.`);
  const token = await readFile(config.joinTokenFile, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "ENOENT") throw cause;
    throw new Error(
      `This machine has not joined a cluster, or its ledger is gone. ${advice}, in ${config.joinTokenFile}.`,
      { cause },
    );
  });
  const { hostId } = await joinCluster({
    centralUrl: config.centralUrl,
    token: token.trim(),
    name: config.hostName,
    identity,
  });
  ledger.setHostId(hostId, runtime);
  return hostId;
}
