/**
 * Test files that never share a process, and that `npm test` leaves out: they count the descriptors, the memory or
 * the servers of the process that they run in, so another file's leftovers would change what they measure; or they
 * take minutes by themselves.
 */
export const ownProcessFiles = [
  "test/contract/test-rigs.test.ts",
  "test/gateway/hostile-conversations.test.ts",
  "test/gateway/streams.test.ts",
  "test/link/faults.test.ts",
  "test/panel/sweep.test.ts",
  "test/requests/hostile-conversations.test.ts",
  "test/requests/random-requests.test.ts",
];
