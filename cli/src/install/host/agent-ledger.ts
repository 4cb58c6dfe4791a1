/** Reads from the agent's ledger what the installer needs to know; changes nothing in it. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { agentFiles } from "../places.ts";

export interface LedgerFacts {
  hasJoined: boolean;
  /** Number of projects that are placed on this host. */
  projects: number;
}

export function readLedger(): LedgerFacts {
  const path = join(agentFiles.data, "ledger.sqlite");
  if (!existsSync(path)) return { hasJoined: false, projects: 0 };
  const ledger = new DatabaseSync(path, { readOnly: true });
  try {
    const host = ledger.prepare("SELECT host_id FROM host").get();
    const counted = ledger.prepare("SELECT count(*) AS projects FROM assignment").get();
    return { hasJoined: host?.["host_id"] != null, projects: Number(counted?.["projects"] ?? 0) };
  } finally {
    ledger.close();
  }
}
