/**
 * Stores announcements of operators and makes a notice of them for each account. The notices are made in
 * small transactions, each of which records how far it has come, so that the next central goes on where one
 * died.
 */

import type { Announcement } from "@tijolo/protocol";
import { listAccounts } from "../../store/tables/accounts/account.ts";
import {
  findOpenAnnouncement,
  insertAnnouncement,
  listAccountsOnHost,
  listAnnouncements as selectAnnouncements,
  saveAnnouncementReach,
  type AnnouncementRow,
} from "../../store/tables/notices/announcement.ts";
import { transact, type Transaction } from "../../store/store.ts";
import { chooseOneHost } from "../hosts/choose-hosts.ts";
import type { OperatorActor } from "../identity/caller.ts";
import { newId } from "../new-id.ts";
import { recordAudit } from "../operators/audit.ts";
import { noteNotice } from "./note-notice.ts";
import type { NoticesContext } from "./notices-context.ts";

const shown = 100;
const accountsAtOnce = 100;
const batchesPerRun = 20;

export async function listAnnouncements(app: Pick<NoticesContext, "db">): Promise<Announcement[]> {
  return (await selectAnnouncements(app.db, shown)).map(viewAnnouncement);
}

/** Stores the announcement, which reaches the accounts in the background. Throws `not_found` for the host. */
export async function announce(
  app: NoticesContext,
  operator: OperatorActor,
  { text, host: wanted }: { text: string; host?: string | undefined },
): Promise<Announcement> {
  const host = wanted === undefined ? null : await chooseOneHost(app, wanted);
  const row: AnnouncementRow = {
    id: newId(app),
    at: app.clock.now(),
    text,
    host: host === null ? null : { id: host.id, name: host.name },
    by: operator.name,
    toldAfter: "",
    accounts: 0,
    completedAt: null,
  };
  await transact(app.db, async (tx) => {
    await insertAnnouncement(tx, row);
    const subject =
      row.host === null
        ? ({ kind: "cluster", id: null, name: null } as const)
        : ({ kind: "host", ...row.host } as const);
    await recordAudit(app, tx, operator, { subject, after: { text } });
  });
  return viewAnnouncement(row);
}

/** Tells some more accounts of the oldest announcement that has not reached all. */
export async function tellAnnouncements(app: NoticesContext): Promise<void> {
  for (let batch = 0; batch < batchesPerRun; batch++) {
    const isDone = await transact(app.db, async (tx) => {
      const row = await findOpenAnnouncement(tx);
      if (row === undefined) return true;
      await tellSome(app, tx, row);
      return false;
    });
    if (isDone) return;
  }
}

async function tellSome(app: NoticesContext, tx: Transaction, row: AnnouncementRow): Promise<void> {
  const audience = await listAudience(tx, row);
  for (const { accountId, projects } of audience) {
    const content =
      row.host === null
        ? ({ kind: "announcement", text: row.text } as const)
        : ({ kind: "host_maintenance", text: row.text, since: null, projects } as const);
    await noteNotice(app, tx, { accountId, subject: row.id, content });
  }
  await saveAnnouncementReach(tx, {
    id: row.id,
    toldAfter: audience.at(-1)?.accountId ?? row.toldAfter,
    accounts: row.accounts + audience.length,
    completedAt: audience.length < accountsAtOnce ? app.clock.now() : null,
  });
}

async function listAudience(
  tx: Transaction,
  { host, toldAfter }: AnnouncementRow,
): Promise<{ accountId: string; projects: number }[]> {
  if (host !== null)
    return listAccountsOnHost(tx, { hostId: host.id, after: toldAfter, limit: accountsAtOnce });
  const accounts = await listAccounts(tx, { after: toldAfter, limit: accountsAtOnce });
  return accounts.map(({ id }) => ({ accountId: id, projects: 0 }));
}

function viewAnnouncement({ id, at, text, host, by, accounts, completedAt }: AnnouncementRow): Announcement {
  return {
    id,
    at: new Date(at).toISOString(),
    text,
    host: host?.name ?? null,
    by,
    accounts,
    isComplete: completedAt !== null,
  };
}
