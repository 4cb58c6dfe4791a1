/** The newest usage of each running project, with rates computed from cumulative counters. In memory: it is worthless after a restart. */

import type { Usage, UsageReport } from "@tijolo/protocol";

type Sample = UsageReport["projects"][number];

interface Entry {
  hostId: string;
  atMs: number;
  sample: Sample;
  usage: Usage;
}

export class UsageBoard {
  readonly #entries = new Map<string, Entry>();
  readonly #hosts = new Map<string, UsageReport["host"]>();

  take(hostId: string, report: UsageReport): void {
    const atMs = Date.parse(report.at);
    this.#hosts.set(hostId, report.host);
    const seen = new Set<string>();
    for (const sample of report.projects) {
      seen.add(sample.projectId);
      const before = this.#entries.get(sample.projectId);
      const usage = usageOf(sample, before?.sample.runNumber === sample.runNumber ? before : undefined, atMs);
      this.#entries.set(sample.projectId, { hostId, atMs, sample, usage });
    }
    for (const [projectId, entry] of this.#entries) {
      if (entry.hostId === hostId && !seen.has(projectId)) this.#entries.delete(projectId);
    }
  }

  find(projectId: string): Usage | undefined {
    return this.#entries.get(projectId)?.usage;
  }

  findHost(hostId: string): UsageReport["host"] | undefined {
    return this.#hosts.get(hostId);
  }
}

function usageOf(sample: Sample, before: Entry | undefined, atMs: number): Usage {
  const elapsedMs = before === undefined ? 0 : atMs - before.atMs;
  if (before === undefined || elapsedMs <= 0) {
    return { memoryMb: sample.memoryMb, cpuPercent: 0, networkInBps: 0, networkOutBps: 0 };
  }
  const perSecond = (now: number, then: number) => Math.max(0, Math.round(((now - then) * 1000) / elapsedMs));
  const cpuPercent = Math.max(0, (sample.cpuUsec - before.sample.cpuUsec) / (elapsedMs * 10));
  return {
    memoryMb: sample.memoryMb,
    cpuPercent: Math.round(cpuPercent * 10) / 10,
    networkInBps: perSecond(sample.networkInBytes, before.sample.networkInBytes),
    networkOutBps: perSecond(sample.networkOutBytes, before.sample.networkOutBytes),
  };
}
