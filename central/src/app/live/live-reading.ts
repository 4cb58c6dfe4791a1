/** Reads what the live stream shows of one account, in one language. */

import { AppError, type Account, type LiveProject, type Notice } from "@tijolo/protocol";
import type { TextLanguage } from "@tijolo/protocol/texts/project";
import { findAccount, type AccountRow } from "../../store/tables/accounts/account.ts";
import { findHost } from "../../store/tables/hosts/host.ts";
import { countUnreadNotices, listNotices } from "../../store/tables/notices/notice.ts";
import { findProject, listProjects, type ProjectRow } from "../../store/tables/projects/project.ts";
import { getOwnAccount } from "../accounts/own-account.ts";
import { planOf } from "../accounts/plan-of.ts";
import { isoOrNull } from "../iso-or-null.ts";
import { viewNotice } from "../notices/notice-view.ts";
import type { LiveContext } from "./live-context.ts";
import { viewLiveProject } from "./live-project.ts";

/** Number of the newest notices that are looked at: what is repeated is among them. */
const noticesSeen = 20;

export interface PlacedLive {
  live: LiveProject;
  hostId: string;
}

/** Returns what is shown of a project. */
interface Shown {
  find(projectId: string): LiveProject | undefined;
}

export class LiveReading {
  readonly #app: LiveContext;
  readonly #accountId: string;
  readonly #language: TextLanguage;
  #account: AccountRow | null = null;
  /** Times of repetition by notice, of the newest ones; null before they were read. */
  #notices: Map<string, number> | null = null;
  /** Last contact, before this start of central, of hosts that were not heard since. */
  readonly #seenBefore = new Map<string, number | null>();

  constructor(app: LiveContext, { accountId, language }: { accountId: string; language: TextLanguage }) {
    this.#app = app;
    this.#accountId = accountId;
    this.#language = language;
  }

  /** Reads the account itself. Returns whether its plan is another one, of which projects show something. */
  async readAccount(): Promise<boolean> {
    const account = await findAccount(this.#app.db, this.#accountId);
    if (account === undefined) throw new AppError("not_authenticated");
    const isOtherPlan = this.#account?.plan !== account.plan;
    this.#account = account;
    return isOtherPlan;
  }

  viewAccount(): Promise<Account> {
    return getOwnAccount(this.#app, this.#row);
  }

  async readAll(shown: Shown): Promise<PlacedLive[]> {
    const rows = await listProjects(this.#app.db, this.#accountId);
    return Promise.all(rows.map((row) => this.#view(row, shown)));
  }

  /** Returns undefined for a project that there is not, or that is another account's. */
  async readProject(id: string, shown: Shown): Promise<PlacedLive | undefined> {
    const row = await findProject(this.#app.db, id);
    return row === undefined || row.accountId !== this.#accountId ? undefined : this.#view(row, shown);
  }

  /** Returns the notices that are new or were repeated since the reading before, the oldest first. */
  async readNotices(): Promise<{ unread: number; changed: Notice[] }> {
    const { db } = this.#app;
    const unread = await countUnreadNotices(db, this.#accountId);
    const page = { before: undefined, limit: noticesSeen, isUnread: false };
    const rows = (await listNotices(db, this.#accountId, page)).toReversed();
    const before = this.#notices;
    const oldest = [...(before?.keys() ?? [])].reduce((one, other) => (one < other ? one : other), "");
    this.#notices = new Map(rows.map(({ id, count }) => [id, count]));
    if (before === null) return { unread, changed: [] };
    const changed = rows.filter(({ id, count }) => id >= oldest && before.get(id) !== count);
    return { unread, changed: changed.map((row) => viewNotice(row, this.#language)) };
  }

  get #row(): AccountRow {
    if (this.#account === null) throw new Error("the account was not read yet");
    return this.#account;
  }

  async #view(row: ProjectRow, shown: Shown): Promise<PlacedLive> {
    const live = viewLiveProject(this.#app, row, {
      plan: planOf(this.#app, this.#row.plan),
      language: this.#language,
      hostSeenAt: isoOrNull(await this.#hostSeenAt(row.hostId)),
      actionBefore: shown.find(row.id)?.action ?? null,
    });
    return { live, hostId: row.hostId };
  }

  async #hostSeenAt(hostId: string): Promise<number | null> {
    const heardAt = this.#app.hostStates.lastHeardAt(hostId);
    if (heardAt !== null) return heardAt;
    const known = this.#seenBefore.get(hostId);
    if (known !== undefined) return known;
    const seenAt = (await findHost(this.#app.db, hostId))?.lastSeenAt ?? null;
    this.#seenBefore.set(hostId, seenAt);
    return seenAt;
  }
}
