/** An assignment for tests of the reconciler. */

import type { Assignment } from "@tijolo/protocol";

export function sampleAssignment(change: Partial<Assignment> = {}): Assignment {
  return {
    projectId: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    accountId: "01ARZ3NDEKTSV4RRFFQ69G5FAW",
    generation: 1,
    run: "on",
    restartCount: 1,
    versionNumber: 1,
    archive: { sha256: "0".repeat(64), sizeBytes: 100 },
    hasAutoRestart: true,
    diskMb: 1024,
    settings: {
      type: "bot",
      language: "node",
      version: "24",
      entry: "index.js",
      command: "node index.js",
      installCommand: null,
      root: null,
      systemPackages: [],
      memoryMb: 256,
      port: null,
    },
    ...change,
  };
}
