/** Reports to central every few seconds what the host and its running projects use. */

import { statfs } from "node:fs/promises";
import { freemem, totalmem } from "node:os";
import { linkMaxRunning, type UsageReport } from "@tijolo/protocol";
import type { ProcessorLoad } from "../host/checks/processor-load.ts";
import type { Network } from "../network/network.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { DiskUsage } from "./disk-usage.ts";

const mebibyte = 1024 * 1024;
const nanosecondsPerMs = 1_000_000n;

export interface UsageSources {
  runtime: Pick<Runtime, "usage">;
  network: Pick<Network, "usage">;
  disks: Pick<DiskUsage, "find" | "keepUp">;
  processors: Pick<ProcessorLoad, "read">;
  dataDirectory: string;
}

export async function readUsage({
  runtime,
  network,
  disks,
  processors,
  dataDirectory,
}: UsageSources): Promise<UsageReport> {
  const [counters, traffic, disk] = await Promise.all([
    runtime.usage(),
    network.usage(),
    statfs(dataDirectory),
  ]);
  disks.keepUp(counters);
  const projects = [...counters]
    .slice(0, linkMaxRunning)
    .map(([projectId, { runNumber, memoryBytes, cpuUsec }]) => {
      const bytes = traffic.get(projectId);
      const diskMb = disks.find(projectId);
      return {
        projectId,
        runNumber,
        memoryMb: amountOf(memoryBytes / mebibyte),
        cpuUsec: amountOf(cpuUsec),
        networkInBytes: amountOf(bytes?.receivedBytes ?? 0),
        networkOutBytes: amountOf(bytes?.sentBytes ?? 0),
        diskMb: diskMb === null ? null : amountOf(diskMb),
      };
    });
  return {
    uptimeMs: Number(process.hrtime.bigint() / nanosecondsPerMs),
    host: {
      memoryUsedMb: Math.round((totalmem() - freemem()) / mebibyte),
      cpuPercent: Math.round(processors.read() * 10) / 10,
      diskFreeMb: Math.round((disk.bavail * disk.bsize) / mebibyte),
    },
    projects,
  };
}

/**
 * Rounds to a whole number in the link's range: one out of range would invalidate the report of all projects.
 * A counter that exceeds what a number holds exactly begins again from 0.
 */
function amountOf(counted: number): number {
  return Math.max(0, Math.round(counted) % (Number.MAX_SAFE_INTEGER + 1)) || 0;
}
