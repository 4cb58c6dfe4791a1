/** Defines what a project used in a time: sums, so that two of them add up to a longer time. */

import type { MetricPoint } from "@tijolo/protocol";

export interface MetricSums {
  /** Milliseconds that the sums cover. */
  coveredMs: number;
  /** Megabytes times the milliseconds that they were in use, summed. */
  memoryMbMs: number;
  cpuUsec: number;
  networkInBytes: number;
  networkOutBytes: number;
  /** Greatest disk usage in MB; null while it was not measured. */
  diskMb: number | null;
}

export function addSums(one: MetricSums, other: MetricSums): MetricSums {
  return {
    coveredMs: one.coveredMs + other.coveredMs,
    memoryMbMs: one.memoryMbMs + other.memoryMbMs,
    cpuUsec: one.cpuUsec + other.cpuUsec,
    networkInBytes: one.networkInBytes + other.networkInBytes,
    networkOutBytes: one.networkOutBytes + other.networkOutBytes,
    diskMb:
      one.diskMb === null || other.diskMb === null
        ? (one.diskMb ?? other.diskMb)
        : Math.max(one.diskMb, other.diskMb),
  };
}

/**
 * Returns the first `coveredMs` of the sums, as if the usage had been even, and the rest: together they are
 * the whole.
 */
export function splitSums(whole: MetricSums, coveredMs: number): [first: MetricSums, rest: MetricSums] {
  const share = coveredMs / whole.coveredMs;
  const first = {
    coveredMs,
    memoryMbMs: Math.round(whole.memoryMbMs * share),
    cpuUsec: Math.round(whole.cpuUsec * share),
    networkInBytes: Math.round(whole.networkInBytes * share),
    networkOutBytes: Math.round(whole.networkOutBytes * share),
    diskMb: whole.diskMb,
  };
  const rest = {
    coveredMs: whole.coveredMs - coveredMs,
    memoryMbMs: whole.memoryMbMs - first.memoryMbMs,
    cpuUsec: whole.cpuUsec - first.cpuUsec,
    networkInBytes: whole.networkInBytes - first.networkInBytes,
    networkOutBytes: whole.networkOutBytes - first.networkOutBytes,
    diskMb: whole.diskMb,
  };
  return [first, rest];
}

export function averagesOf(sums: MetricSums): Omit<MetricPoint, "at"> {
  const { coveredMs, memoryMbMs, cpuUsec, networkInBytes, networkOutBytes, diskMb } = sums;
  return {
    memoryMb: Math.round((memoryMbMs / coveredMs) * 10) / 10,
    cpuPercent: Math.round(cpuUsec / coveredMs) / 10,
    networkInBps: Math.round((networkInBytes * 1000) / coveredMs),
    networkOutBps: Math.round((networkOutBytes * 1000) / coveredMs),
    diskMb,
  };
}
