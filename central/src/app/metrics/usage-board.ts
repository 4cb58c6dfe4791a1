/**
 * Holds the newest usage of each running project, computed from counters that only grow. In memory: it is
 * worthless after a restart.
 */

import type { Usage, UsageReport } from "@tijolo/protocol";
import { averagesOf, type MetricSums } from "./metric-sums.ts";

type Sample = UsageReport["projects"][number];

/** Longest interval in ms between two reports of a host; a longer one is an unknown gap. */
const longestIntervalMs = 30_000;
/** Shortest interval in ms; closer reports count as one: a rate over so short a time says nothing. */
const shortestIntervalMs = 500;
/** Greatest usage that is believed of one interval: 1,000 cores, and 32 GB of traffic in a second. */
const mostCpuUsecPerMs = 1_000_000;
const mostBytesPerMs = 32_000_000;

interface HostBoard {
  host: UsageReport["host"];
  uptimeMs: number;
  projects: Map<string, { sample: Sample; usage: Usage }>;
}

/** Usage of a project between two reports; the second came just now. */
export interface UsageInterval {
  projectId: string;
  sums: MetricSums;
}

export class UsageBoard {
  readonly #hosts = new Map<string, HostBoard>();
  readonly #hostOfProject = new Map<string, string>();

  /**
   * Returns the usage since the report before; nothing after a gap. `isPlaced`: whether a project is placed
   * on the host that reports it.
   */
  take(hostId: string, report: UsageReport, isPlaced: (projectId: string) => boolean): UsageInterval[] {
    const before = this.#hosts.get(hostId);
    const elapsedMs = before === undefined ? 0 : report.uptimeMs - before.uptimeMs;
    if (before !== undefined && elapsedMs >= 0 && elapsedMs < shortestIntervalMs) return [];
    const isGap = before === undefined || elapsedMs < 0 || elapsedMs > longestIntervalMs;
    const projects: HostBoard["projects"] = new Map();
    const intervals: UsageInterval[] = [];
    for (const sample of report.projects) {
      const { projectId } = sample;
      if (!isPlaced(projectId)) continue;
      const earlier = isGap ? undefined : before.projects.get(projectId)?.sample;
      const sums = earlier === undefined ? null : sumsOf(earlier, sample, elapsedMs);
      if (sums !== null) intervals.push({ projectId, sums });
      projects.set(projectId, { sample, usage: usageOf(sample, sums) });
      this.#hostOfProject.set(projectId, hostId);
    }
    this.#hosts.set(hostId, { host: report.host, uptimeMs: report.uptimeMs, projects });
    for (const projectId of before?.projects.keys() ?? []) {
      if (!projects.has(projectId) && this.#hostOfProject.get(projectId) === hostId)
        this.#hostOfProject.delete(projectId);
    }
    return intervals;
  }

  find(projectId: string): Usage | undefined {
    const hostId = this.#hostOfProject.get(projectId);
    return hostId === undefined ? undefined : this.#hosts.get(hostId)?.projects.get(projectId)?.usage;
  }

  findHost(hostId: string): UsageReport["host"] | undefined {
    return this.#hosts.get(hostId)?.host;
  }
}

/**
 * Returns the sums. A new run counts its CPU from zero; traffic is cumulative. A counter that went down says
 * nothing about the time between.
 */
function sumsOf(earlier: Sample, now: Sample, elapsedMs: number): MetricSums {
  const cpuUsec = now.runNumber === earlier.runNumber ? now.cpuUsec - earlier.cpuUsec : now.cpuUsec;
  const believed = (amount: number, mostPerMs: number) =>
    Math.min(Math.max(0, amount), mostPerMs * elapsedMs);
  return {
    coveredMs: elapsedMs,
    memoryMbMs: now.memoryMb * elapsedMs,
    cpuUsec: believed(cpuUsec, mostCpuUsecPerMs),
    networkInBytes: believed(now.networkInBytes - earlier.networkInBytes, mostBytesPerMs),
    networkOutBytes: believed(now.networkOutBytes - earlier.networkOutBytes, mostBytesPerMs),
    diskMb: now.diskMb,
  };
}

/** Returns the usage; the rates are 0 until a second sample. */
function usageOf({ memoryMb }: Sample, sums: MetricSums | null): Usage {
  if (sums === null) return { memoryMb, cpuPercent: 0, networkInBps: 0, networkOutBps: 0 };
  const { cpuPercent, networkInBps, networkOutBps } = averagesOf(sums);
  return { memoryMb, cpuPercent, networkInBps, networkOutBps };
}
