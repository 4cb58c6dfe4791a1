/** Lists and changes environment variables, and opens what is stored. */

import {
  AppError,
  projectCan,
  sizeOfVariables,
  type Variables,
  type VariablesChange,
} from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import { z } from "zod";
import type { AccountRow } from "../../store/tables/accounts/account.ts";
import { wantedChanged } from "../../store/tables/hosts/host.ts";
import { transact, type Reader, type Transaction } from "../../store/store.ts";
import { raiseProjectRevision, updateProject, type ProjectRow } from "../../store/tables/projects/project.ts";
import type { Sealed } from "../../store/tables/sealed.ts";
import {
  deleteVariables,
  findVariables,
  saveVariables,
  type VariablesRow,
} from "../../store/tables/projects/variable.ts";
import { recordActivity } from "../accounts/activity.ts";
import type { Principal } from "../identity/caller.ts";
import { isRestartRequired } from "../runs/config-tag.ts";
import type { ProjectsContext } from "./projects-context.ts";
import { assertAllowed, assertReachable, getOwned, standingNow } from "./project.ts";
import { variablesContext } from "../secrets/variables-context.ts";
import { VaultError } from "../secrets/vault.ts";

/** Schema of the stored document, which may be older than today's rules for names. */
const document = z.record(z.string(), z.string());

export interface VariablesAnswer {
  variables: Variables;
  isRestartRequired: boolean;
}

export async function listVariables(
  app: ProjectsContext,
  account: AccountRow,
  id: string,
): Promise<Variables> {
  await getOwned(app.db, account, id);
  return readVariables(app, app.db, id);
}

/** Replaces all variables (PUT). */
export function setVariables(
  app: ProjectsContext,
  principal: Principal,
  id: string,
  variables: Variables,
): Promise<VariablesAnswer> {
  assertSize(app, variables);
  return change(app, principal, id, () => variables);
}

/** Merges variables; null removes (PATCH). */
export function changeVariables(
  app: ProjectsContext,
  principal: Principal,
  id: string,
  patch: VariablesChange,
): Promise<VariablesAnswer> {
  return change(app, principal, id, (before) => {
    const merged = Object.entries({ ...before, ...patch }).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    );
    return Object.fromEntries(merged);
  });
}

/** Returns what is stored for the project; throws `variables_unavailable` when it cannot be opened. */
export async function readVariables(app: ProjectsContext, db: Reader, projectId: string): Promise<Variables> {
  const row = await findVariables(db, projectId);
  if (row === undefined) return {};
  const opened = openVariables(app, projectId, row.sealed);
  if (opened === null) throw new AppError("variables_unavailable");
  return opened;
}

/**
 * Throws `variables_unavailable` unless the variables open; a run or an install needs them, so none is
 * requested without.
 */
export async function assertVariablesOpen(
  app: ProjectsContext,
  db: Reader,
  projectId: string,
): Promise<void> {
  await readVariables(app, db, projectId);
}

/** Opens the variables; null when they cannot be opened: the key is missing, or the document damaged. */
export function openVariables(
  { vault, logger }: Pick<ProjectsContext, "vault" | "logger">,
  projectId: string,
  sealed: Sealed,
): Variables | null {
  try {
    return document.parse(JSON.parse(vault.open(variablesContext(projectId), sealed)));
  } catch (error) {
    // Only the vault's own words are fit for a log: others may quote what was in the document.
    const reason = error instanceof VaultError ? error.message : "the document is none of variables";
    logger.error({ projectId, keyId: sealed.keyId, reason }, "the variables of a project cannot be opened");
    return null;
  }
}

/**
 * Runs in the project's queue. What is stored must open, also for a PUT: nothing is written over what cannot be
 * read.
 */
async function change(
  app: ProjectsContext,
  { account, actor }: Principal,
  id: string,
  decide: (before: Variables) => Variables,
): Promise<VariablesAnswer> {
  await getOwned(app.db, account, id);
  return app.projectQueues.run(id, async () => {
    const { row, variables } = await transact(app.db, async (tx) => {
      const before = await getOwned(tx, account, id);
      assertAllowed(projectCan.changeSettings(standingNow(app, before)));
      assertReachable(app, before);
      const current = await readVariables(app, tx, id);
      const next = decide(current);
      assertSize(app, next);
      const names = changedNames(current, next);
      if (names === null) return { row: before, variables: current };
      await store(app, tx, before, next);
      await recordActivity(app, tx, {
        accountId: account.id,
        actor,
        action: "project.variables",
        project: before,
        after: names,
      });
      return { row: await getOwned(tx, account, id), variables: next };
    });
    return { variables, isRestartRequired: isRestartRequired(row) };
  });
}

async function store(
  app: ProjectsContext,
  tx: Transaction,
  { id, hostId }: ProjectRow,
  variables: Variables,
): Promise<void> {
  await putVariables(app, tx, id, variables);
  await updateProject(tx, id, {}, app.clock.now());
  await raiseProjectRevision(tx, id);
  await wantedChanged(tx, hostId, [id]);
}

/** Replaces what was stored. Returns the new revision. */
export async function putVariables(
  app: ProjectsContext,
  tx: Transaction,
  projectId: string,
  variables: Variables,
): Promise<string | null> {
  if (Object.keys(variables).length === 0) {
    await deleteVariables(tx, projectId);
    return null;
  }
  const sealed = sealVariables(app, projectId, variables);
  await saveVariables(tx, { projectId, ...sealed });
  return sealed.revision;
}

/**
 * Seals variables. The same variables have the same revision, so that restoring earlier ones leaves nothing
 * pending; a rotated key makes other revisions.
 */
function sealVariables(
  { vault }: ProjectsContext,
  projectId: string,
  variables: Variables,
): Pick<VariablesRow, "revision" | "sealed"> {
  const context = variablesContext(projectId);
  const inOrder = Object.entries(variables).toSorted(([left], [right]) => (left < right ? -1 : 1));
  try {
    return {
      revision: vault.fingerprint(context, JSON.stringify(inOrder)),
      sealed: vault.seal(context, JSON.stringify(variables)),
    };
  } catch (cause) {
    if (!(cause instanceof VaultError)) throw cause;
    throw new AppError("variables_unavailable", { cause });
  }
}

function assertSize({ limits }: ProjectsContext, variables: Variables): void {
  if (sizeOfVariables(variables) <= limits.variablesBytes) return;
  const limitKb = Math.floor(limits.variablesBytes / 1024);
  throw new AppError("payload_too_large", {
    detail: refusalDetails.variablesTooLarge(limitKb),
  });
}

/** Returns the names that change, for the activity, which never has values. Null when nothing changes. */
function changedNames(
  before: Variables,
  after: Variables,
): Record<"added" | "changed" | "removed", string[]> | null {
  const had = (name: string) => Object.hasOwn(before, name);
  const added = Object.keys(after).filter((name) => !had(name));
  const changed = Object.keys(after).filter((name) => had(name) && before[name] !== after[name]);
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  return added.length + changed.length + removed.length === 0 ? null : { added, changed, removed };
}
