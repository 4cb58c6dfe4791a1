/** What a host's agent has written down that central wants. */

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { assignment, type Assignment } from "@tijolo/protocol";
import type { TestHost } from "./test-cluster.ts";

export function heldAssignment({ dataDirectory }: Pick<TestHost, "dataDirectory">, projectId: string): Assignment | undefined {
  const ledger = new DatabaseSync(join(dataDirectory, "ledger.sqlite"), { readOnly: true });
  try {
    const body = ledger.prepare("SELECT body FROM assignment WHERE project_id = ?").get(projectId)?.["body"];
    return typeof body === "string" ? assignment.parse(JSON.parse(body)) : undefined;
  } finally {
    ledger.close();
  }
}
