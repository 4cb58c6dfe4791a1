/** Rotates the master key for an operator: the work itself is in `master-key-rotation.ts`. */

import type { MasterKeyRotated } from "@tijolo/protocol";
import { transact } from "../../store/store.ts";
import type { SecretsContext } from "../secrets/secrets-context.ts";
import type { OperatorActor } from "../identity/caller.ts";
import { recordAudit } from "./audit.ts";

/** Rotates the key. Throws `variables_unavailable` when central has no master key. */
export async function rotateMasterKey(
  app: Pick<SecretsContext, "db" | "clock" | "random" | "masterKeys">,
  operator: OperatorActor,
): Promise<MasterKeyRotated> {
  const before = { currentKeyId: (await app.masterKeys.status()).currentKeyId };
  const rotated = await app.masterKeys.rotate();
  const { currentKeyId, resealed, unreadable } = rotated;
  await transact(app.db, (tx) =>
    recordAudit(app, tx, operator, {
      subject: { kind: "cluster", id: null, name: "master-key" },
      before,
      after: { currentKeyId, resealed, unreadable },
    }),
  );
  return rotated;
}
