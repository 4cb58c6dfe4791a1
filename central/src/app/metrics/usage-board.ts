/**
 * The newest usage of each running project, from counters that only grow. In memory: it is worthless after a
 * restart.
 */

import type { Usage, UsageReport } from "@tijolo/protocol";
import { averagesOf, type MetricSums } from "./metric-sums.ts";

type Sample = UsageReport["projects"][number];

/** Between two reports of a host that are further apart lies a gap: nothing is known of it. */
const longestIntervalMs = 30_000;
/** Reports that are closer count as one: a rate over so short a time says nothing. */
const shortestIntervalMs = 500;
/** No more than this in one interval is believed: 1,000 cores, and 32 GB of traffic in a second. */
const mostCpuUsecPerMs = 1_000_000;
const mostBytesPerMs = 32_000_000;

interface HostBoard {
  host: UsageReport["host"];
  uptimeMs: number;
  projects: Map<string, { sample: Sample; usage: Usage }>;
}

/** What a project used between two reports; the second came just now. */
export interface UsageInterval {
  projectId: string;
  sums: MetricSums;
}

export class UsageBoard {
  readonly #hosts = new Map<string, HostBoard>();
  readonly #hostOfProject = new Map<string, string>();

  /**
   * Answers what was used since the report before; nothing after a gap. `isPlaced`: whether a project is the
   * host's to tell about.
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
 * A new run counts its CPU from nothing; traffic goes on counting. A counter that went down says nothing of
 * the time between.
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

/** The rates are 0 until a second sample. */
function usageOf({ memoryMb }: Sample, sums: MetricSums | null): Usage {
  if (sums === null) return { memoryMb, cpuPercent: 0, networkInBps: 0, networkOutBps: 0 };
  const { cpuPercent, networkInBps, networkOutBps } = averagesOf(sums);
  return { memoryMb, cpuPercent, networkInBps, networkOutBps };
}
