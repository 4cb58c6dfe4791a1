/**
 * Test files that check rates and delays against bounds that assume an idle machine, or leave nothing of it
 * to others: nothing runs beside them.
 */
export const measuringFiles = [
  "agent/src/logs/following/log-follower.test.ts",
  "test/requests/http-fuzz.test.ts",
  "test/gateway/throughput.test.ts",
  "test/link/logs.test.ts",
  "test/link/unreachable.test.ts",
  "test/real/cluster/log-flood.test.ts",
  "test/real/cluster/swaps.test.ts",
  "test/real/cluster/up.test.ts",
  "test/real/sandbox/abuse.test.ts",
];
