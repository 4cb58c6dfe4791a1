/**
 * Checks names under the site domain: their format and the reserved ones; makes one from a project's name.
 */

import { AppError } from "@tijolo/protocol";
import { findSubdomainKeeper, keepSubdomain } from "../../store/tables/projects/kept-subdomain.ts";
import { listSubdomainHolders, type ProjectRow } from "../../store/tables/projects/project.ts";
import type { Transaction } from "../../store/store.ts";
import type { Random } from "../clock.ts";
import { isReservedName } from "./subdomains/resemblance.ts";

const format = /^[a-z0-9](?:[a-z0-9-]{1,30})[a-z0-9]$/;

/** Checks the format. Throws `invalid_subdomain` or `reserved_subdomain`. */
export function assertSubdomain(subdomain: string): void {
  const extra = { field: "subdomain" };
  if (!format.test(subdomain)) throw new AppError("invalid_subdomain", { extra });
  if (isReservedName(subdomain)) throw new AppError("reserved_subdomain", { extra });
}

/** Milliseconds for which a subdomain that was given up is kept for its account. */
const keptMs = 7 * 24 * 60 * 60 * 1000;

/** The account that wants a subdomain, and the present time. */
export interface SubdomainSeeker {
  accountId: string;
  now: number;
}

/**
 * Throws `subdomain_taken` when another project has it, or is served by it until its next start, and when it
 * is kept for another account.
 */
export async function assertSubdomainFree(
  tx: Transaction,
  subdomain: string,
  { projectId, ...seeker }: SubdomainSeeker & { projectId: string },
): Promise<void> {
  const holders = await listSubdomainHolders(tx, subdomain);
  if (holders.some((id) => id !== projectId) || (await isKeptForAnother(tx, subdomain, seeker)))
    throw new AppError("subdomain_taken", { extra: { field: "subdomain" } });
}

/** Returns a free subdomain that resembles `name`, unless that one is reserved. */
export async function makeSubdomain(
  tx: Transaction,
  name: string,
  { random, ...seeker }: SubdomainSeeker & { random: Random },
): Promise<string> {
  const base = slugOf(name);
  for (const candidate of [base, ...withTails(base.slice(0, 25), random), ...withTails("site", random)]) {
    if (!format.test(candidate) || isReservedName(candidate)) continue;
    if ((await listSubdomainHolders(tx, candidate)).length > 0) continue;
    if (!(await isKeptForAnother(tx, candidate, seeker))) return candidate;
  }
  throw new AppError("subdomain_taken", { extra: { field: "subdomain" } });
}

/** Keeps the subdomains of a project for its account, after it was deleted or has others. */
export async function keepSubdomains(
  tx: Transaction,
  { accountId, subdomain, servedSubdomain }: Pick<ProjectRow, "accountId" | "subdomain" | "servedSubdomain">,
  now: number,
): Promise<void> {
  for (const each of new Set([subdomain, servedSubdomain]))
    if (each !== null) await keepSubdomain(tx, { subdomain: each, accountId, keptUntil: now + keptMs });
}

async function isKeptForAnother(
  tx: Transaction,
  subdomain: string,
  { accountId, now }: SubdomainSeeker,
): Promise<boolean> {
  const keeper = await findSubdomainKeeper(tx, subdomain, now);
  return keeper !== undefined && keeper !== accountId;
}

function withTails(base: string, random: Random): string[] {
  return Array.from({ length: 5 }, () => `${base}-${randomTail(random)}`);
}

function slugOf(name: string): string {
  const slug = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 32)
    .replace(/^-+|-+$/g, "");
  return slug.length >= 3 ? slug : `site-${slug}`.replace(/-+$/, "");
}

function randomTail(random: Random): string {
  return Buffer.from(random(3)).toString("hex");
}
