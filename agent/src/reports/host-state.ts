/** Describes this host when an operator asks: how it holds projects, their limits and disk usage. */

import { release } from "node:os";
import type { HostItem, HostMachine, HostProjectState } from "@tijolo/protocol";
import { findDiskDevice } from "../disk/block-device.ts";
import type { ProjectDisks } from "../disk/project-disks.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { LimitsInEffect, Runtime } from "../runtime/runtime.ts";

export interface HostStateSources {
  runtime: Pick<Runtime, "name" | "enforcement" | "limits">;
  disks: Pick<ProjectDisks, "kind" | "usage">;
  ledger: Pick<Ledger, "assignments">;
  dataDirectory: string;
}

/** Projects that are read in one go. */
const batchSize = 50;

export async function* describeState(
  sources: HostStateSources,
  signal: AbortSignal,
): AsyncGenerator<HostItem<"describe-host">[], void, undefined> {
  yield [{ kind: "host-machine", machine: await describeMachine(sources) }];
  const limits = await sources.runtime.limits();
  const projectIds = sources.ledger.assignments().map(({ projectId }) => projectId);
  for (let from = 0; from < projectIds.length && !signal.aborted; from += batchSize) {
    const batch = projectIds.slice(from, from + batchSize);
    yield await Promise.all(
      batch.map(async (projectId) => ({
        kind: "host-project" as const,
        project: await describeProject(sources, projectId, limits.get(projectId)),
      })),
    );
  }
}

async function describeMachine({ runtime, disks, dataDirectory }: HostStateSources): Promise<HostMachine> {
  const { cgroups, io } = await runtime.enforcement();
  // An image is on a loop device in any case; other disks are where the data directory is.
  const hasDevice = disks.kind === "image" || (await findDiskDevice(dataDirectory)) !== undefined;
  return {
    runtime: runtime.name,
    kernel: release().slice(0, 200),
    cgroups,
    disks: disks.kind,
    io: hasDevice ? io : "none",
    // An agent with this runtime does not start before it has tried the filter: see
    // `host/checks/check-filter.ts`.
    userNamespaces: runtime.name === "nspawn" ? "filtered" : "allowed",
  };
}

async function describeProject(
  { disks }: HostStateSources,
  projectId: string,
  inEffect: LimitsInEffect | undefined,
): Promise<HostProjectState> {
  // None yet, or it could not be opened, which the log of the agent tells.
  const used = await disks.usage(projectId).catch(() => null);
  return {
    projectId,
    limits: inEffect?.limits ?? null,
    pids: inEffect?.pids ?? null,
    disk:
      used === null
        ? null
        : { usedMb: used.usedMb, limitMb: used.limitMb, isReadOnly: used.isReadOnly === true },
  };
}
