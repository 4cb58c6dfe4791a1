/** Tells central every few seconds what the host and its running projects use. */

import { statfs } from "node:fs/promises";
import { freemem, totalmem } from "node:os";
import type { UsageReport } from "@tijolo/protocol";
import type { ProcessorLoad } from "../host/processor-load.ts";
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
  clock: { now(): number };
  dataDirectory: string;
}

export async function readUsage({ runtime, network, disks, processors, clock, dataDirectory }: UsageSources): Promise<UsageReport> {
  const [counters, traffic, disk] = await Promise.all([runtime.usage(), network.usage(), statfs(dataDirectory)]);
  disks.keepUp(counters);
  const projects = [...counters].map(([projectId, { runNumber, memoryBytes, cpuUsec }]) => {
    const bytes = traffic.get(projectId);
    return {
      projectId,
      runNumber,
      memoryMb: Math.round(memoryBytes / mebibyte),
      cpuUsec: Math.round(cpuUsec),
      networkInBytes: bytes?.receivedBytes ?? 0,
      networkOutBytes: bytes?.sentBytes ?? 0,
      diskMb: disks.find(projectId),
    };
  });
  return {
    at: new Date(clock.now()).toISOString(),
    uptimeMs: Number(process.hrtime.bigint() / nanosecondsPerMs),
    host: {
      memoryUsedMb: Math.round((totalmem() - freemem()) / mebibyte),
      cpuPercent: Math.round(processors.read() * 10) / 10,
      diskFreeMb: Math.round((disk.bavail * disk.bsize) / mebibyte),
    },
    projects,
  };
}
