/** Who is calling, after authentication. */

import { AppError } from "@tijolo/protocol";
import { findOperatorByHash, findRecentKey, touchKey, type AccountRow, type KeyRow } from "../db/account.ts";
import { transact } from "../db/open-database.ts";
import type { AppContext } from "./context.ts";
import { hashSecret, isSecret } from "./secret.ts";

/** The account that an operation acts for. */
export type Account = AccountRow;

export type Caller = { kind: "key"; key: KeyRow; account: AccountRow } | { kind: "operator"; operator: { id: string; name: string } };

/** Last use of a key is kept to the minute, so that reads stay reads. */
const touchEveryMs = 60_000;

/** Throws `invalid_api_key` for a secret that is malformed, unknown or revoked. */
export async function findCaller(app: AppContext, secret: string): Promise<Caller> {
  if (isSecret("tjo_", secret)) {
    const operator = await findOperatorByHash(app.db, hashSecret(secret));
    if (operator !== undefined) return { kind: "operator", operator };
  }
  if (isSecret("svc_", secret)) {
    const found = await findRecentKey(app.db, hashSecret(secret));
    if (found !== undefined) {
      await noteUse(app, found.key);
      return { kind: "key", ...found };
    }
  }
  throw new AppError("invalid_api_key");
}

async function noteUse(app: AppContext, key: KeyRow): Promise<void> {
  const now = app.clock.now();
  if (key.lastUsedAt !== null && now - key.lastUsedAt < touchEveryMs) return;
  await transact(app.db, (tx) => touchKey(tx, key.id, now));
}
