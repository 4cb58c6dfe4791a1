/**
 * Checks a domain against DNS and applies what was found: a proven one becomes active, one whose proof is gone
 * ends in time, and a proven one replaces another account's whose proof is gone.
 */

import type { DomainEndReason } from "@tijolo/protocol";
import {
  findActiveDomain,
  findDomain,
  listDueDomains,
  saveDomainCheck,
  type DomainFault,
  type DomainRow,
  type SeenRecords,
} from "../../store/tables/projects/domain.ts";
import { findProject } from "../../store/tables/projects/project.ts";
import { transact, type Transaction } from "../../store/store.ts";
import { recordActivity } from "../accounts/activity.ts";
import { serviceActor, type Actor } from "../identity/caller.ts";
import { noteNotice } from "../notices/note-notice.ts";
import {
  dayMs,
  missingEndsAfterMs,
  missingNotedAfterMs,
  nextPendingCheck,
  provenWithinMs,
} from "./check-times.ts";
import { checksAtOnce, type DomainsContext } from "./domains-context.ts";
import { hostnameOfRow } from "./hostname.ts";
import { faultOf, isProven, seeRecords, type Wanted } from "./see-records.ts";

/** Checks the domains whose time has come: some of them, the next run has the others. */
export async function checkDueDomains(app: DomainsContext): Promise<void> {
  const ids = await listDueDomains(app.db, app.clock.now(), checksAtOnce);
  await Promise.all(ids.map((id) => checkDomain(app, id, serviceActor)));
}

/** Returns the domain as the check leaves it; undefined when there is no such domain any more. */
export async function checkDomain(
  app: DomainsContext,
  id: string,
  actor: Actor,
): Promise<DomainRow | undefined> {
  const row = await findDomain(app.db, id);
  if (row === undefined) return undefined;
  const gateways = await app.domains.gateways.list();
  const wanted = wantedBy(app, row, gateways);
  const seen = await app.domains.slots.run(() => seeRecords(app.domains, wanted));
  return transact(app.db, async (tx) => {
    const now = await findDomain(tx, id);
    if (now === undefined) return undefined;
    return applyCheck(app, tx, { row: now, wanted, seen, actor });
  });
}

export function wantedBy(
  { domains }: Pick<DomainsContext, "domains">,
  { accountId, hostname: text }: Pick<DomainRow, "accountId" | "hostname">,
  gateways: readonly string[],
): Wanted {
  const hostname = hostnameOfRow(text);
  return { hostname, gateways, records: domains.proofs.wantedOf(accountId, hostname) };
}

interface Check {
  row: DomainRow;
  wanted: Wanted;
  seen: SeenRecords | null;
  actor: Actor;
}

async function applyCheck(app: DomainsContext, tx: Transaction, check: Check): Promise<DomainRow> {
  const checkedAt = app.clock.now();
  const fault = faultOf(check.wanted, check.seen);
  const row = { ...check.row, seen: check.seen, checkedAt };
  const checked = { ...check, row };
  return row.status === "active"
    ? keepActive(app, tx, checked, fault)
    : fault === null
      ? activate(app, tx, checked)
      : waitOn(app, tx, row, fault);
}

/** Makes a proven domain active, unless another account's proof of the same name is still in DNS. */
async function activate(
  app: DomainsContext,
  tx: Transaction,
  { row, wanted, seen, actor }: Check,
): Promise<DomainRow> {
  const first = await findActiveDomain(tx, row.hostname);
  if (first !== undefined) {
    const wantedByFirst = wantedBy(app, first, wanted.gateways);
    if (seen === null || isProven(wantedByFirst, seen))
      return waitOn(app, tx, row, { code: "domain_taken", addresses: [] });
    await end(app, tx, first, { reason: "taken_over", error: { code: "taken_over", addresses: [] } });
  }
  const active: DomainRow = {
    ...row,
    status: "active",
    error: null,
    nextCheckAt: app.clock.now() + dayMs,
    proofMissingSince: null,
    missingNotedAt: null,
  };
  await saveDomainCheck(tx, active);
  await record(app, tx, active, { action: "domain.active", actor });
  return active;
}

/** Has a domain wait for the next check; a pending one that waited for too long fails. */
async function waitOn(
  app: DomainsContext,
  tx: Transaction,
  row: DomainRow,
  error: DomainFault,
): Promise<DomainRow> {
  const now = app.clock.now();
  if (row.status === "pending" && now - row.createdAt >= provenWithinMs)
    return end(app, tx, row, { reason: "not_proven", error });
  const nextCheckAt = row.status === "pending" ? nextPendingCheck(row.createdAt, now) : null;
  const waiting = { ...row, error, nextCheckAt };
  await saveDomainCheck(tx, waiting);
  return waiting;
}

/** An active domain stays active while its proof is there, and for a time without it. */
async function keepActive(
  app: DomainsContext,
  tx: Transaction,
  { row, wanted, seen }: Check,
  error: DomainFault | null,
): Promise<DomainRow> {
  const now = app.clock.now();
  const kept: DomainRow = { ...row, error, nextCheckAt: now + dayMs };
  if (seen !== null && isProven(wanted, seen)) {
    kept.proofMissingSince = null;
    kept.missingNotedAt = null;
  } else {
    const since = (kept.proofMissingSince ??= now);
    if (now - since >= missingEndsAfterMs) return end(app, tx, kept, { reason: "proof_gone", error });
    if (now - since >= missingNotedAfterMs && kept.missingNotedAt === null) {
      kept.missingNotedAt = now;
      await note(app, tx, kept, (project) => ({
        kind: "domain_proof_gone",
        project,
        hostname: row.hostname,
        since: new Date(since).toISOString(),
      }));
    }
  }
  await saveDomainCheck(tx, kept);
  return kept;
}

/** Ends a domain: it is checked no more, and its owner is notified. */
async function end(
  app: DomainsContext,
  tx: Transaction,
  row: DomainRow,
  { reason, error }: { reason: DomainEndReason; error: DomainFault | null },
): Promise<DomainRow> {
  const failed: DomainRow = { ...row, status: "failed", error, nextCheckAt: null };
  await saveDomainCheck(tx, failed);
  await record(app, tx, failed, { action: "domain.failed", actor: serviceActor });
  await note(app, tx, failed, (project) => ({
    kind: "domain_failed",
    project,
    hostname: row.hostname,
    reason,
  }));
  return failed;
}

async function note(
  app: DomainsContext,
  tx: Transaction,
  { projectId, accountId, id }: DomainRow,
  contentOf: (project: { id: string; name: string }) => Parameters<typeof noteNotice>[2]["content"],
): Promise<void> {
  const project = await findProject(tx, projectId);
  if (project === undefined) return;
  const content = contentOf({ id: project.id, name: project.name });
  await noteNotice(app, tx, { accountId, subject: id, content });
}

async function record(
  app: DomainsContext,
  tx: Transaction,
  { accountId, projectId, hostname }: DomainRow,
  { action, actor }: { action: "domain.active" | "domain.failed"; actor: Actor },
): Promise<void> {
  const project = await findProject(tx, projectId);
  if (project === undefined) return;
  await recordActivity(app, tx, { accountId, actor, action, project, after: { hostname } });
}
