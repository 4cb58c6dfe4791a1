/**
 * Builds the parts of a machine whose projects run as plain processes: no images, no network of their own, no
 * limits of disks.
 */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { AgentConfig } from "../../config.ts";
import { askHealth } from "../../diagnosis/ask-health.ts";
import { canConnect } from "../../diagnosis/can-connect.ts";
import { PlainDisks } from "../../disk/plain-disks.ts";
import { readBootId } from "../../host/boot-id.ts";
import type { MachineParts } from "../../machine-parts.ts";
import { LocalPorts } from "./local-ports.ts";
import { installNotices, isolationWarning } from "./no-isolation.ts";
import { withPython } from "./own-environment.ts";
import { ProcessRuntime, type ProcessRuntimeOptions } from "./process-runtime.ts";
import { assertToolsThere } from "./process-table.ts";

export interface ProcessMachineOptions {
  config: Pick<AgentConfig, "dataDirectory">;
  logger: Logger;
  clock: { now(): Date };
  say: ProcessRuntimeOptions["say"];
  hostPath: string;
}

/** Projects use the languages of the machine, so there is nothing to build, to list or to remove. */
const noImages: MachineParts["images"] = {
  isShared: true,
  findRecipe: () => undefined,
  ensure: async () => ({ layers: [], environment: {} }),
  list: async () => [],
  prune: async () => [],
  pruneAll: async () => [],
};

/** Opens the machine. What it holds is closed with `resources`; the projects stay up. */
export async function openProcessMachine(
  { config: { dataDirectory }, logger, clock, say, hostPath }: ProcessMachineOptions,
  resources: AsyncDisposableStack,
): Promise<MachineParts> {
  logger.warn(isolationWarning);
  if (process.getuid?.() === 0)
    logger.warn("The agent runs as root, and so does the code of every project: use another user.");
  await assertToolsThere();
  const disks = resources.use(new PlainDisks(dataDirectory));
  await mkdir(join(dataDirectory, "network"), { recursive: true });
  const ports = await LocalPorts.open(join(dataDirectory, "network", "local-ports.json"));
  const bootId = await readBootId();
  const path = await withPython(join(dataDirectory, "bin"), hostPath);
  const runtime = await ProcessRuntime.create({
    dataDirectory,
    bootId,
    hostPath: path,
    ports,
    say,
    logger,
    clock,
  });
  resources.defer(() => runtime.close());
  const place = { address: "127.0.0.1", namespacePath: "", resolvConf: "" };
  return {
    disks,
    runtime,
    images: noImages,
    network: {
      claim: async () => place,
      release: (projectId) => ports.release(projectId),
      setAside: async () => {},
      takeBack: async () => {},
      releaseLeaving: async () => {},
      findLeaving: () => undefined,
      setRunning: () => {},
      setSite: () => {},
      usage: async () => new Map(),
      find: () => place,
      reconcile: async () => {},
    },
    isListening: (projectId, port) => canConnect(place.address, ports.find(projectId) ?? port),
    askHealth: (projectId, port, health) => askHealth(place.address, ports.find(projectId) ?? port, health),
    readListeners: async () => undefined,
    trust: { bindReadOnly: [], environment: {} },
    portOf: (projectId, port) => ports.find(projectId) ?? port,
    installNotices,
    // What is installed depends on the machine's own programs, which no key names.
    keepsInstalls: false,
  };
}
