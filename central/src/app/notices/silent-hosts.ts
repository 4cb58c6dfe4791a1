/**
 * Tells accounts that the machine of their projects has not reported for a while, once for each silence.
 * There is no drain of machines yet: planned work is announced by an operator (`announcement.ts`).
 */

import { listHosts } from "../../store/tables/hosts/host.ts";
import { listAccountsOnHost } from "../../store/tables/notices/announcement.ts";
import { findNewestNotice } from "../../store/tables/notices/notice.ts";
import { transact, type Transaction } from "../../store/store.ts";
import { noteNotice } from "./note-notice.ts";
import type { NoticesContext } from "./notices-context.ts";

/** Milliseconds without a report after which a machine is silent: longer than an update or a reboot takes. */
const silentMs = 10 * 60_000;
const accountsAtOnce = 100;

/**
 * Returns the check, to be run periodically. No machine counts as silent before central itself has been up
 * for as long: after an outage of central, all of them reported last before it.
 */
export function createSilenceCheck(app: NoticesContext): () => Promise<void> {
  const beganAt = app.clock.now();
  /** Time of the last report before a silence that this process has told the accounts of, by host. */
  const told = new Map<string, number>();
  return async () => {
    const now = app.clock.now();
    if (now - beganAt < silentMs) return;
    for (const { id, lastSeenAt } of await listHosts(app.db)) {
      const heardAt = app.hostStates.lastHeardAt(id) ?? lastSeenAt;
      if (app.hostStates.isConnected(id) || heardAt === null) told.delete(id);
      else if (now - heardAt >= silentMs && told.get(id) !== heardAt) {
        await tellAccounts(app, id, heardAt);
        told.set(id, heardAt);
      }
    }
  };
}

async function tellAccounts(app: NoticesContext, hostId: string, heardAt: number): Promise<void> {
  const since = new Date(heardAt).toISOString();
  for (let after: string | undefined = ""; after !== undefined;) {
    const from: string = after;
    after = await transact(app.db, async (tx) => {
      const accounts = await listAccountsOnHost(tx, { hostId, after: from, limit: accountsAtOnce });
      for (const { accountId, projects } of accounts) {
        const content = { kind: "host_maintenance", text: null, since, projects } as const;
        if (await wasTold(tx, { accountId, hostId, heardAt })) continue;
        await noteNotice(app, tx, { accountId, subject: hostId, content });
      }
      return accounts.length < accountsAtOnce ? undefined : accounts.at(-1)?.accountId;
    });
  }
}

/** True when an earlier central has made the notice of this silence. */
async function wasTold(
  tx: Transaction,
  { accountId, hostId, heardAt }: { accountId: string; hostId: string; heardAt: number },
): Promise<boolean> {
  const newest = await findNewestNotice(tx, { accountId, kind: "host_maintenance", subject: hostId });
  return newest !== undefined && newest.lastAt > heardAt;
}
