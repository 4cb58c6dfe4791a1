/** Makes the same request with the same idempotency key take effect once, for a day (api.md: Conventions). */

import { createHash } from "node:crypto";
import { AppError } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import { deleteKeptAnswers, findKeptAnswer, keepAnswer } from "../../store/tables/accounts/idempotency.ts";
import { transact, type Transaction } from "../../store/store.ts";
import type { LimitsContext } from "./limits-context.ts";

/** Stores a successful answer together with its effect: a crash cannot come between the two. */
export interface Once {
  save(tx: Transaction, answer: object): Promise<void>;
}

export interface IdempotentRequest {
  accountId: string;
  key: string;
  /** Result of {@link fingerprintOf}. */
  fingerprint: string;
}

const keptMs = 24 * 60 * 60 * 1000;

/** Returns a hash of what makes two requests the same: the operation and all of its input. */
export function fingerprintOf(request: {
  operation: string;
  params: unknown;
  query: unknown;
  body: unknown;
  file: unknown;
}): string {
  const { operation, params, query, body, file } = request;
  return createHash("sha256")
    .update(JSON.stringify([operation, params, query, body ?? null, file ?? null]))
    .digest("hex");
}

/**
 * Returns the answer of the first such request, or has `act` answer. A second one at the same time waits for
 * the first. Throws `invalid_request` when the key was used for another request.
 */
export async function answerOnce(
  app: LimitsContext,
  request: IdempotentRequest,
  act: (once: Once) => Promise<unknown>,
): Promise<{ answer: unknown; isReplayed: boolean }> {
  const { accountId, key, fingerprint } = request;
  return app.idempotencyQueues.run(`${accountId} ${key}`, async () => {
    const kept = await findKept(app, { accountId, key });
    if (kept === undefined) return { answer: await act(keeper(app, request)), isReplayed: false };
    if (kept.fingerprint !== fingerprint) throw usedOtherwise();
    return { answer: JSON.parse(kept.answer) as unknown, isReplayed: true };
  });
}

/** True when a request with this key has an answer: the next one with it is a retry, or is refused. */
export async function hasAnswer(
  app: LimitsContext,
  { accountId, key }: Pick<IdempotentRequest, "accountId" | "key">,
): Promise<boolean> {
  return (await findKept(app, { accountId, key })) !== undefined;
}

/** Returns the stored answer, which is sent again. */
function findKept(
  app: LimitsContext,
  { accountId, key }: Pick<IdempotentRequest, "accountId" | "key">,
): ReturnType<typeof findKeptAnswer> {
  return transact(app.db, (tx) =>
    findKeptAnswer(tx, { accountId, key, createdAfter: app.clock.now() - keptMs }),
  );
}

/** Removes answers that are too old to be sent again. */
export async function collectKeptAnswers(app: LimitsContext): Promise<void> {
  await transact(app.db, (tx) => deleteKeptAnswers(tx, app.clock.now() - keptMs));
}

function keeper(app: LimitsContext, request: IdempotentRequest): Once {
  return {
    save: (tx, answer) =>
      keepAnswer(tx, { ...request, answer: JSON.stringify(answer), createdAt: app.clock.now() }),
  };
}

function usedOtherwise(): AppError {
  return new AppError("invalid_request", {
    extra: { field: "Idempotency-Key" },
    detail: refusalDetails.keyUsedOtherwise,
  });
}
