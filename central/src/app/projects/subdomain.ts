/**
 * Checks names under the site domain: their format and the reserved ones; makes one from a project's name.
 */

import { AppError } from "@tijolo/protocol";
import { listSubdomainHolders } from "../../store/tables/projects/project.ts";
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

/** Throws `subdomain_taken` when another project has it, or is served by it until its next start. */
export async function assertSubdomainFree(
  tx: Transaction,
  subdomain: string,
  projectId: string,
): Promise<void> {
  const holders = await listSubdomainHolders(tx, subdomain);
  if (holders.some((id) => id !== projectId))
    throw new AppError("subdomain_taken", { extra: { field: "subdomain" } });
}

/** Returns a free subdomain that resembles `name`, unless that one is reserved. */
export async function makeSubdomain(tx: Transaction, name: string, random: Random): Promise<string> {
  const base = slugOf(name);
  for (const candidate of [base, ...withTails(base.slice(0, 25), random), ...withTails("site", random)]) {
    if (!format.test(candidate) || isReservedName(candidate)) continue;
    if ((await listSubdomainHolders(tx, candidate)).length === 0) return candidate;
  }
  throw new AppError("subdomain_taken", { extra: { field: "subdomain" } });
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
