/** Holds what is true of all operators, tokens and people together: their number, their roles, their owners. */

import { AppError, roleIncludes, type OperatorRole } from "@tijolo/protocol";
import type { Transaction } from "../../store/store.ts";
import { listOperatorPeople } from "../../store/tables/operators/operator-person.ts";
import { listOperators } from "../../store/tables/operators/operator.ts";

const maxOperators = 100;

/** Throws `insufficient_role` unless the role `held` includes the role `needed`. */
export function assertRole(held: OperatorRole, needed: OperatorRole): void {
  if (!roleIncludes(held, needed))
    throw new AppError("insufficient_role", { extra: { requiredRole: needed } });
}

/** Throws `operator_limit_reached` when there is no room for another. */
export async function assertRoom(tx: Transaction): Promise<void> {
  const [tokens, people] = [await listOperators(tx), await listOperatorPeople(tx)];
  if (tokens.length + people.length >= maxOperators)
    throw new AppError("operator_limit_reached", { extra: { limit: maxOperators } });
}

/** Throws `last_owner` when without this operator no owner would be left that does not expire. */
export async function assertOwnerStays(tx: Transaction, leavingId: string): Promise<void> {
  const lastingTokens = (await listOperators(tx)).filter(({ expiresAt }) => expiresAt === null);
  const owners = [...lastingTokens, ...(await listOperatorPeople(tx))].filter(({ role }) => role === "owner");
  if (owners.length === 1 && owners[0]?.id === leavingId) throw new AppError("last_owner");
}
