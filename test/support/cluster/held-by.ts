/** Reads what an agent was told of a project, from its disk. */

import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import type { Assignment } from "@tijolo/protocol";
import type { TestHost } from "./test-cluster.ts";

/** Returns what the host's ledger holds of the project, as the host would report it. */
export function heldBy({ dataDirectory }: TestHost, projectId: string): Assignment | undefined {
  using ledger = new DatabaseSync(join(dataDirectory, "ledger.sqlite"), { readOnly: true });
  const row = ledger.prepare("select body from assignment where project_id = ?").get(projectId);
  return row === undefined ? undefined : (JSON.parse(String(row["body"])) as Assignment);
}
