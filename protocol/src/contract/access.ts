/**
 * Defines who may call an operation: scopes of keys, their two levels, and the kinds of callers (spec:
 * Authentication).
 */

import { z } from "zod";
import { named } from "./described.ts";

const readScopes = [
  "projects:read",
  "logs:read",
  "metrics:read",
  "analytics:read",
  "versions:read",
  "domains:read",
  "databases:read",
  "templates:read",
  "notices:read",
] as const;

const writeScopes = [
  ...readScopes,
  "projects:deploy",
  "projects:control",
  "variables:read",
  "variables:write",
] as const;

export const scopes = [
  ...writeScopes,
  "projects:settings",
  "files:read",
  "files:write",
  "backups:read",
  "backups:write",
  "versions:rollback",
  "domains:write",
  "databases:write",
  "databases:credentials",
  "blob:read",
  "blob:write",
  "templates:deploy",
  "notices:write",
  "account:read",
  "activity:read",
] as const;

export type Scope = (typeof scopes)[number];

export const scope = named("Scope", z.enum(scopes), {
  text: { pt: "O que uma chave pode fazer.", en: "What a key may do." },
});

export const keyLevels = ["read", "write"] as const;

export type KeyLevel = (typeof keyLevels)[number];

/** Levels are presets of scopes: Leitura and Leitura e escrita. Everything else is granted one by one. */
export const scopesOfLevel: Record<KeyLevel, readonly Scope[]> = { read: readScopes, write: writeScopes };

/** Returns the level of a key with these scopes: Leitura when it can only read. */
export function levelOfScopes(granted: readonly Scope[]): KeyLevel {
  return granted.every((name) => name.endsWith(":read")) ? "read" : "write";
}

/** Milliseconds for which a confirmation lets an operator change things in the panel. */
export const confirmationMs = 15 * 60_000;

/** Roles of operators; each role includes those before it: look, change things, appoint owners. */
export const operatorRoles = ["viewer", "operator", "owner"] as const;

export type OperatorRole = (typeof operatorRoles)[number];

/** True when an operator with the role `held` may do what needs the role `needed`. */
export function roleIncludes(held: OperatorRole, needed: OperatorRole): boolean {
  return operatorRoles.indexOf(held) >= operatorRoles.indexOf(needed);
}

/**
 * The callers that an operation accepts.
 * - `key`: an API key with `scope`, or the account's panel session;
 * - `panel`: the account's panel session; with `operator`, also an operator's token of that role or a higher
 *   one. A key gets `api_key_not_allowed`;
 * - `operator`: an operator's token of that role or a higher one, or the panel session of a person who has such
 *   a role and a second factor; a change also needs a confirmation of the last {@link confirmationMs};
 * - `public`: anybody.
 */
export type Access =
  | { kind: "key"; scope: Scope }
  | { kind: "panel"; operator?: OperatorRole }
  | { kind: "operator"; role: OperatorRole }
  | { kind: "public" };
