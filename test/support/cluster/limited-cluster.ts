/**
 * Runs a cluster with the limits of the spec, under a clock that only the test moves; sends requests to it,
 * and counts the answers to many at once.
 */

import { makeId } from "@tijolo/protocol";
import { apiRequest, type ApiAnswer, type ApiRequest } from "../requests/api-request.ts";
import { TestCluster, type TestClusterOptions } from "./test-cluster.ts";

export const missingId = makeId(0, new Uint8Array(10));

export async function limitedCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const cluster = await TestCluster.create({ hosts: 0, hasRealLimits: true, ...options });
  cluster.clock.hold();
  return cluster;
}

/** Makes a request for a project that does not exist, unless `more` names something else. */
export function request(
  cluster: TestCluster,
  token: string | undefined,
  more: Partial<ApiRequest> = {},
): Promise<ApiAnswer> {
  return apiRequest(cluster.centralUrl, {
    method: "GET",
    path: `/api/projects/${missingId}`,
    token,
    ...more,
  });
}

/** Makes all calls at once. */
export function times(count: number, make: () => Promise<ApiAnswer>): Promise<ApiAnswer[]> {
  return Promise.all(Array.from({ length: count }, make));
}

/** Counts how often each status came with each code. */
export function tally(answers: readonly ApiAnswer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, code } of answers)
    counts[`${status} ${code}`] = (counts[`${status} ${code}`] ?? 0) + 1;
  return counts;
}

/** Returns the header Retry-After in seconds. */
export function retryAfter({ headers }: Pick<ApiAnswer, "headers">): number {
  return Number(headers.get("retry-after"));
}
