/** Holds the checks of `tijolo doctor` on a host. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { agentUnit } from "../install/host/agent-unit.ts";
import { readControllers } from "../install/host/cgroup-controllers.ts";
import { clockAhead } from "../install/central/central-clock.ts";
import { agentFiles, places } from "../install/places.ts";
import { succeeds } from "../install/run-program.ts";
import {
  checkPin,
  checkPrivate,
  commonChecks,
  fail,
  ok,
  warn,
  type Check,
  type CheckRelease,
  type CheckResult,
} from "./check.ts";
import { checkSchema, type StoredSchema } from "./schema-check.ts";

const schema: StoredSchema = {
  name: "ledger",
  database: join(agentFiles.data, "ledger.sqlite"),
  versionQuery: "SELECT user_version AS version FROM pragma_user_version",
  owner: null,
};
const clockBounds = { warnMs: 5_000, failMs: 60_000 };

export function agentChecks(checkRelease: CheckRelease): Check[] {
  const part = "agent" as const;
  return [
    ...commonChecks(part, { tree: places.agent, unit: agentUnit, data: agentFiles.data, checkRelease }),
    { part, id: "ledger", run: () => checkSchema(places.agent, schema) },
    { part, id: "hostKey", run: () => checkPrivate(join(agentFiles.data, "identity.pem")) },
    { part, id: "pin", run: () => checkPin(places.agent) },
    { part, id: "cgroups", run: checkCgroups },
    { part, id: "filter", run: checkFilter },
    { part, id: "clock", run: checkClock },
  ];
}

async function checkCgroups(): Promise<CheckResult> {
  const { TIJOLO_RUNTIME } = await readSettings();
  if (TIJOLO_RUNTIME === "process") return warn("TIJOLO_RUNTIME=process");
  const { found, missing } = await readControllers();
  return missing.length === 0 ? ok(found.join(" ")) : fail(missing.join(" "));
}

/** Looks for the rules that keep projects apart, which the agent writes at its start (`instance-names.ts`). */
async function checkFilter(): Promise<CheckResult> {
  const { TIJOLO_RUNTIME, TIJOLO_AGENT_NAME = "main" } = await readSettings();
  if (TIJOLO_RUNTIME === "process") return warn("TIJOLO_RUNTIME=process");
  const table = `tijolo_${TIJOLO_AGENT_NAME.replaceAll("-", "_")}`;
  return (await succeeds(["nft", "list", "table", "inet", table])) ? ok(table) : fail(table);
}

/** Compares the clock with central's, which is reached by its pinned authority on the way. */
async function checkClock(): Promise<CheckResult> {
  const { TIJOLO_CENTRAL_URL = "", TIJOLO_CENTRAL_AUTHORITY_FILE } = await readSettings();
  if (TIJOLO_CENTRAL_AUTHORITY_FILE === undefined) return ok(TIJOLO_CENTRAL_URL);
  const authority = await readFile(TIJOLO_CENTRAL_AUTHORITY_FILE, "utf8");
  const aheadMs = await clockAhead(TIJOLO_CENTRAL_URL, authority);
  const found = `${TIJOLO_CENTRAL_URL}: ${Math.round(aheadMs / 1000)} s`;
  if (Math.abs(aheadMs) > clockBounds.failMs) return fail(found);
  return Math.abs(aheadMs) > clockBounds.warnMs ? warn(found) : ok(found);
}

async function readSettings(): Promise<Record<string, string | undefined>> {
  return parseEnv(await readFile(agentFiles.settings, "utf8"));
}
