/** Lists, adds, checks and removes the own domains of a site, for its owner. */

import { AppError, type Domain } from "@tijolo/protocol";
import { domainRefusals } from "@tijolo/protocol/texts/central";
import {
  countDomains,
  deleteDomain,
  findDomainOfAccount,
  insertDomain,
  listDomainsOfProject,
  type DomainRow,
} from "../../store/tables/projects/domain.ts";
import { transact, type Transaction } from "../../store/store.ts";
import { getAccountNow } from "../accounts/account-now.ts";
import { recordActivity } from "../accounts/activity.ts";
import { assertInGoodStanding, isSite } from "../accounts/quota.ts";
import type { Principal } from "../identity/caller.ts";
import { newId } from "../new-id.ts";
import { getOwned } from "../projects/project.ts";
import { checkDomain } from "./check-domain.ts";
import type { DomainsContext } from "./domains-context.ts";
import { domainViewer, getDomain } from "./domain-view.ts";
import { invalidDomain, readHostname } from "./hostname.ts";

type Owner = Pick<Principal, "account" | "language">;

export async function listDomains(
  app: DomainsContext,
  { account, language }: Owner,
  projectId: string,
): Promise<Domain[]> {
  await getOwned(app.db, account, projectId);
  const rows = await listDomainsOfProject(app.db, projectId);
  return rows.map(await domainViewer(app, language));
}

/** Adds a domain, which waits for its first check. Throws what is wrong with the name, or the plan's limit. */
export async function addDomain(
  app: DomainsContext,
  { account, actor, language, once }: Principal,
  projectId: string,
  { hostname: text, redirectTo: target }: { hostname: string; redirectTo?: string | undefined },
): Promise<Domain> {
  const owned = await getOwned(app.db, account, projectId);
  const { hostname, isWildcard } = readHostname(text, { ownNames: app.domains.ownNames() });
  const redirectTo = target === undefined ? null : readTarget(app, target, owned.subdomain);
  if (redirectTo === hostname) throw invalidDomain("malformed", "redirectTo");
  // Only a record in DNS proves a wildcard to an authority (RFC 8555 section 8.4), and the hook writes it.
  if (isWildcard && app.acme.runHook === null) throw new AppError("wildcard_not_available");
  const view = await domainViewer(app, language);
  return transact(app.db, async (tx) => {
    const { account: now, plan } = await getAccountNow(app, tx, account.id);
    assertInGoodStanding(now);
    const project = await getOwned(tx, account, projectId);
    if (!isSite(project)) throw invalidDomain("not_a_site");
    await assertMayAdd(tx, { accountId: account.id, hostname, limit: plan.domains });
    const row = pendingDomain(app, { projectId, accountId: account.id, hostname, redirectTo });
    await insertDomain(tx, row);
    await recordActivity(app, tx, {
      accountId: account.id,
      actor,
      action: "domain.add",
      project,
      after: { hostname, redirectTo },
    });
    const domain = view(row);
    await once?.save(tx, { domain });
    return domain;
  });
}

/** Throws when the account has the name already, or as many domains as its plan allows. */
async function assertMayAdd(
  tx: Transaction,
  { accountId, hostname, limit }: { accountId: string; hostname: string; limit: number },
): Promise<void> {
  if ((await findDomainOfAccount(tx, accountId, hostname)) !== undefined)
    throw new AppError("domain_taken", { detail: domainRefusals.alreadyHere });
  if ((await countDomains(tx, accountId)) >= limit)
    throw new AppError("domain_limit_reached", { extra: { limit } });
}

function pendingDomain(
  app: DomainsContext,
  parts: Pick<DomainRow, "projectId" | "accountId" | "hostname" | "redirectTo">,
): DomainRow {
  const createdAt = app.clock.now();
  return {
    id: newId(app),
    ...parts,
    status: "pending",
    seen: null,
    error: null,
    createdAt,
    checkedAt: null,
    nextCheckAt: createdAt,
    proofMissingSince: null,
    missingNotedAt: null,
  };
}

/** Checks now. Throws `domain_taken` when it is proven and another account's proof is in DNS, too. */
export async function verifyDomain(
  app: DomainsContext,
  { account, actor, language }: Principal,
  projectId: string,
  text: string,
): Promise<Domain> {
  const row = await getDomain(app.db, { account, projectId, text });
  app.domains.verifyRate.count(account.id);
  const checked = await checkDomain(app, row.id, actor);
  if (checked === undefined) throw new AppError("not_found");
  if (checked.error?.code === "domain_taken") throw new AppError("domain_taken");
  return (await domainViewer(app, language))(checked);
}

export async function removeDomain(
  app: DomainsContext,
  { account, actor }: Principal,
  projectId: string,
  text: string,
): Promise<void> {
  await transact(app.db, async (tx) => {
    const row = await getDomain(tx, { account, projectId, text });
    const project = await getOwned(tx, account, projectId);
    await deleteDomain(tx, row);
    await recordActivity(app, tx, {
      accountId: account.id,
      actor,
      action: "domain.remove",
      project,
      before: { hostname: row.hostname, redirectTo: row.redirectTo },
    });
  });
}

/** Reads where a domain's visits are sent: any name of the world, or the project's own subdomain. */
function readTarget({ domains, siteUrl }: DomainsContext, text: string, subdomain: string | null): string {
  const own = subdomain === null ? null : new URL(siteUrl(subdomain)).hostname;
  if (own !== null && text.toLowerCase() === own) return own;
  return readHostname(text, { field: "redirectTo", ownNames: domains.ownNames() }).hostname;
}
