/** A valid assignment for tests. */

import type { Assignment } from "@tijolo/protocol";

export function sampleAssignment(changes: Partial<Assignment> = {}): Assignment {
  return {
    projectId: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    accountId: "01ARZ3NDEKTSV4RRFFQ69G5FAW",
    generation: 1,
    run: "on",
    restartCount: 1,
    versionNumber: 1,
    archive: { sha256: "a".repeat(64), sizeBytes: 1000 },
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
    configTag: "tag 1",
    variables: {},
    ...changes,
  };
}
