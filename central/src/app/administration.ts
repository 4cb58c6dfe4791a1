/** What an operator may do, as the admin API and the first start call it. */

import { writeFile } from "node:fs/promises";
import type { Administration } from "@tijolo/protocol";
import { hasOperator, insertOperator } from "../db/account.ts";
import { transact } from "../db/open-database.ts";
import type { HostLink } from "./host-link.ts";
import { createAccount, createKey, listAccounts } from "./account.ts";
import type { AppContext } from "./context.ts";
import { createJoinToken, listHosts, revokeHost } from "./host.ts";
import { newId } from "./new-id.ts";
import { hashSecret, makeSecret } from "./secret.ts";

export function createAdministration(app: AppContext, link: Pick<HostLink, "disconnect">): Administration {
  return {
    createJoinToken: () => createJoinToken(app),
    listHosts: () => listHosts(app),
    async revokeHost(hostId) {
      await revokeHost(app, hostId);
      link.disconnect(hostId);
    },
    createAccount: (input) => createAccount(app, input),
    listAccounts: () => listAccounts(app),
    createKey: (input) => createKey(app, input),
  };
}

/**
 * Makes the first operator and leaves the token in a file that only root can read, for whoever started central to take.
 * So the first administrator is whoever owns the machine, not whoever comes first.
 */
export async function ensureFirstOperator(app: AppContext, bootstrapFile: string): Promise<void> {
  if (await hasOperator(app.db)) return;
  const token = makeSecret("tjo_", app.random);
  await writeFile(bootstrapFile, `${token}\n`, { mode: 0o600, flag: "w" });
  await transact(app.db, (tx) =>
    insertOperator(tx, { id: newId(app), name: "first operator", tokenHash: hashSecret(token), createdAt: app.clock.now() }),
  );
  app.logger.info({ bootstrapFile }, "made the first operator; the token is in the bootstrap file");
}
