/** Defines who is calling, after authentication, and on whose behalf. */

import { AppError, type ActorKind, type OperationName, type OperatorRole } from "@tijolo/protocol";
import type { TextLanguage } from "@tijolo/protocol/texts/project";
import type { AccountRow } from "../../store/tables/accounts/account.ts";
import { findKey, findKeyByHash, type KeyRow } from "../../store/tables/people/key.ts";
import { findOperator, findOperatorByHash, type OperatorRow } from "../../store/tables/operators/operator.ts";
import { networkOf } from "./client-network.ts";
import type { IdentityContext } from "./identity-context.ts";
import type { Once } from "../limits/idempotency.ts";
import { hashSecret, isSecret } from "./secret.ts";

export type Caller =
  | { kind: "key"; key: Readonly<KeyRow>; account: Readonly<AccountRow> }
  | {
      kind: "session";
      session: { id: string; confirmedAt: number | null; hasPasskey: boolean };
      person: { id: string; name: string };
      account: Readonly<AccountRow>;
    }
  | {
      kind: "operator";
      operator: Pick<OperatorRow, "id" | "name" | "role">;
      /** Panel session of a person who is an operator; null for a token. */
      session: Extract<Caller, { kind: "session" }> | null;
    };

/** Who requested a change, as the account's activity shows it. */
export type Actor = AccountActor | OperatorActor;

interface AccountActor {
  kind: Exclude<ActorKind, "operator">;
  id: string | null;
  name: string;
  /** Address of the request; null for the service itself. */
  address: string | null;
}

/** An operator, with what the record of operators' changes needs to know. */
export interface OperatorActor {
  kind: "operator";
  id: string;
  name: string;
  address: string;
  role: OperatorRole;
  /** Operation that it calls. */
  operation: OperationName;
}

/** The account that an operation acts for, and who asked for it. */
export interface Principal {
  account: Readonly<AccountRow>;
  actor: Actor;
  /** Language of the texts in the answer. */
  language: TextLanguage;
  /** Store for an idempotency key: the answer must be kept in the transaction of the effect. */
  once?: Once;
}

export const serviceActor: Actor = { kind: "service", id: null, name: "Tijolo", address: null };

/** Returns the account; null for a caller without one: an operator, or an anonymous caller. */
export function accountOf(caller: Caller | null): Principal["account"] | null {
  return caller === null || caller.kind === "operator" ? null : caller.account;
}

/** True for a session, and for a key that has the scope. */
export function hasScope(caller: Caller | null, scope: KeyRow["scopes"][number]): boolean {
  return caller?.kind === "session" || (caller?.kind === "key" && caller.key.scopes.includes(scope));
}

export function actorOf(caller: Caller, address: string, operation: OperationName): Actor {
  switch (caller.kind) {
    case "key":
      return { kind: "key", id: caller.key.id, name: caller.key.name, address };
    case "session":
      return actorOfPerson(caller.person, address);
    case "operator": {
      const { id, name, role } = caller.operator;
      return { kind: "operator", id, name, role, address, operation };
    }
  }
}

/** Returns the actor of a person, also one not signed in: by a mailed link, or at the sign-in. */
export function actorOfPerson({ id, name }: { id: string; name: string }, address: string): Actor {
  return { kind: "session", id, name, address };
}

/**
 * Finds the key or the operator with this secret. Throws `invalid_api_key` for one that is malformed,
 * unknown, expired or revoked, and `too_many_attempts` when too many such came from `address`.
 */
export async function findCaller(app: IdentityContext, secret: string, address: string): Promise<Caller> {
  if (isSecret("svc_", secret)) {
    const found = await findKeyByHash(app.db, hashSecret(secret));
    if (found !== undefined) {
      app.keyUses.note(found.key, app.clock.now());
      return { kind: "key", ...found };
    }
  } else if (isSecret("tjo_", secret)) {
    const operator = await findOperatorByHash(app.db, hashSecret(secret), app.clock.now());
    if (operator !== undefined) return { kind: "operator", operator, session: null };
  }
  app.attempts.noteWrong({ key: `key ${networkOf(address)}`, limit: app.limits.wrongAttempts });
  throw new AppError("invalid_api_key");
}

/** True while the operator's token works, for what it holds open. */
export async function isOperatorAlive({ db, clock }: IdentityContext, operatorId: string): Promise<boolean> {
  const found = await findOperator(db, operatorId);
  return found !== undefined && (found.expiresAt === null || found.expiresAt > clock.now());
}

/** True while the key works, for what it holds open. */
export async function isKeyAlive(app: IdentityContext, keyId: string): Promise<boolean> {
  return (await findKey(app.db, keyId)) !== undefined;
}
