/** Names under the site domain: their format, the reserved ones, and one made from a project's name. */

import { AppError } from "@tijolo/protocol";
import { findProjectBySubdomain } from "../db/project.ts";
import type { Transaction } from "../db/schema.ts";
import type { Random } from "./clock.ts";

const format = /^[a-z0-9](?:[a-z0-9-]{1,30})[a-z0-9]$/;

const reserved: ReadonlySet<string> = new Set([
  "admin",
  "api",
  "app",
  "auth",
  "billing",
  "blog",
  "cdn",
  "central",
  "conta",
  "dashboard",
  "docs",
  "ftp",
  "gateway",
  "help",
  "imap",
  "link",
  "localhost",
  "login",
  "mail",
  "mcp",
  "painel",
  "panel",
  "pop",
  "root",
  "smtp",
  "status",
  "suporte",
  "support",
  "tijolo",
  "webmail",
  "www",
]);

/** Throws `invalid_subdomain` or `reserved_subdomain`. */
export function assertSubdomain(subdomain: string): void {
  const extra = { field: "subdomain" };
  if (!format.test(subdomain)) throw new AppError("invalid_subdomain", { extra });
  if (reserved.has(subdomain)) throw new AppError("reserved_subdomain", { extra });
}

/** Throws `subdomain_taken` when another project has it. */
export async function assertSubdomainFree(tx: Transaction, subdomain: string, projectId: string): Promise<void> {
  const holder = await findProjectBySubdomain(tx, subdomain);
  if (holder !== undefined && holder.id !== projectId) throw new AppError("subdomain_taken", { extra: { field: "subdomain" } });
}

/** A free subdomain that resembles `name`. */
export async function makeSubdomain(tx: Transaction, name: string, random: Random): Promise<string> {
  const base = slugOf(name);
  for (const candidate of [base, ...Array.from({ length: 5 }, () => `${base.slice(0, 25)}-${randomTail(random)}`)]) {
    if (!format.test(candidate) || reserved.has(candidate)) continue;
    if ((await findProjectBySubdomain(tx, candidate)) === undefined) return candidate;
  }
  throw new AppError("subdomain_taken", { extra: { field: "subdomain" } });
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
