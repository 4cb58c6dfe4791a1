/** Reads the ledger of a host's agent. */

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { assignment, type Assignment } from "@tijolo/protocol";
import type { ProjectRecord } from "../../../agent/src/project/record.ts";
import type { TestHost } from "../cluster/test-cluster.ts";
import { until } from "../until.ts";

type Host = Pick<TestHost, "dataDirectory">;

/** Returns what central wants of a project. */
export function heldAssignment(host: Host, projectId: string): Assignment | undefined {
  const body = readLedger(host, "SELECT body AS text FROM assignment WHERE project_id = ?", projectId);
  return body === undefined ? undefined : assignment.parse(JSON.parse(body));
}

/** Returns the agent's own record of a project. */
export function heldRecord(host: Host, projectId: string): ProjectRecord | undefined {
  const record = readLedger(host, "SELECT record AS text FROM project WHERE project_id = ?", projectId);
  return record === undefined ? undefined : (JSON.parse(record) as ProjectRecord);
}

/**
 * Makes `change` of what the next start uses, and waits until the host has stored it: a crash before that
 * would start the previous state.
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
