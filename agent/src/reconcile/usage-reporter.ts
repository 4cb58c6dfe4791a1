/** Tells central every few seconds what the host and its running projects use. */

import { statfs } from "node:fs/promises";
import type { UsageReport } from "@tijolo/protocol";
import systeminformation from "systeminformation";
import type { Network } from "../network/network.ts";
import type { Runtime } from "../runtime/runtime.ts";

const mebibyte = 1024 * 1024;

export interface UsageSources {
  runtime: Pick<Runtime, "usage">;
  network: Pick<Network, "usage">;
  clock: { now(): number };
  dataDirectory: string;
}

export async function readUsage({ runtime, network, clock, dataDirectory }: UsageSources): Promise<UsageReport> {
  const [counters, traffic, memory, load, disk] = await Promise.all([
    runtime.usage(),
    network.usage(),
    systeminformation.mem(),
    systeminformation.currentLoad(),
    statfs(dataDirectory),
  ]);
  const projects = [...counters].map(([projectId, { runNumber, memoryBytes, cpuUsec }]) => {
    const bytes = traffic.get(projectId);
    return {
      projectId,
      runNumber,
      memoryMb: Math.round(memoryBytes / mebibyte),
      cpuUsec: Math.round(cpuUsec),
      networkInBytes: bytes?.receivedBytes ?? 0,
      networkOutBytes: bytes?.sentBytes ?? 0,
    };
  });
  return {
    at: new Date(clock.now()).toISOString(),
    host: {
      memoryUsedMb: Math.round((memory.total - memory.available) / mebibyte),
      cpuPercent: Math.round(load.currentLoad * 10) / 10,
      diskFreeMb: Math.round((disk.bavail * disk.bsize) / mebibyte),
    },
    projects,
  };
}
