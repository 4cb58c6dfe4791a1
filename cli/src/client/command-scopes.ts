import type { Scope } from "@tijolo/protocol";

/**
 * Scopes that a key for these commands needs beside the level: `config set`, `rollback`, `domains`,
 * `account`, `activity` and `notices read`.
 */
export const commandScopes: readonly Scope[] = [
  "projects:settings",
  "versions:rollback",
  "domains:write",
  "account:read",
  "activity:read",
  "notices:write",
];
