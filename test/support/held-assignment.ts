/** What a host's agent has written down. */

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { assignment, type Assignment } from "@tijolo/protocol";
import type { ProjectRecord } from "../../agent/src/project/record.ts";
import type { TestHost } from "./test-cluster.ts";
import { until } from "./until.ts";

type Host = Pick<TestHost, "dataDirectory">;

/** What central wants of a project. */
export function heldAssignment(host: Host, projectId: string): Assignment | undefined {
  const body = readLedger(host, "SELECT body AS text FROM assignment WHERE project_id = ?", projectId);
  return body === undefined ? undefined : assignment.parse(JSON.parse(body));
}

/** What it remembers of a project itself. */
export function heldRecord(host: Host, projectId: string): ProjectRecord | undefined {
  const record = readLedger(host, "SELECT record AS text FROM project WHERE project_id = ?", projectId);
  return record === undefined ? undefined : (JSON.parse(record) as ProjectRecord);
}

/**
 * Once `change`, of what the next start uses, is written down too: a crash before that would start what was
 * wanted before.
 */
export async function untilHeld<Value>(
  host: Host,
  projectId: string,
  change: () => Promise<Value>,
): Promise<Value> {
  const before = heldAssignment(host, projectId)?.configTag;
  const value = await change();
  await until(() => heldAssignment(host, projectId)?.configTag !== before);
  return value;
}

function readLedger({ dataDirectory }: Host, query: string, projectId: string): string | undefined {
  using ledger = new DatabaseSync(join(dataDirectory, "ledger.sqlite"), { readOnly: true });
  const text = ledger.prepare(query).get(projectId)?.["text"];
  return typeof text === "string" ? text : undefined;
}
