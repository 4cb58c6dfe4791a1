/**
 * Sends what waits in the outbox of notices: claims each delivery with a lease before it is sent, so that a
 * central that dies in between has it sent again, and sends through one channel one at a time.
 */

import type { NoticeChannelName } from "@tijolo/protocol";
import { transact } from "../../store/store.ts";
import {
  listNoticeChannels,
  saveChannelFailure,
  saveChannelSuccess,
  type NoticeChannelRow,
} from "../../store/tables/notices/notice-channel.ts";
import {
  claimDelivery,
  deleteDelivery,
  listDueDeliveries,
  putOffChannel,
  putOffDelivery,
  type DueDelivery,
} from "../../store/tables/notices/notice-delivery.ts";
import { findNotice, type NoticeRow } from "../../store/tables/notices/notice.ts";
import { findPersonOfAccount } from "../../store/tables/people/person.ts";
import { resolveByDns, type Resolve } from "../outbound/checked-lookup.ts";
import { noticeMail } from "../people/mail-texts.ts";
import { openAddress } from "./channel-address.ts";
import { discordPost, webhookPost } from "./notice-post.ts";
import type { NoticesContext } from "./notices-context.ts";
import { postJson, type DeliveryResult, type Post } from "./post-json.ts";
import { isTooOld, nextTryAt } from "./retry-time.ts";

/**
 * Channels that share room, and how many tries are under way at once at most: a mail server that hangs holds
 * up mail, and nothing else.
 */
const lanes: readonly { channels: readonly NoticeChannelName[]; atOnce: number }[] = [
  { channels: ["email"], atOnce: 4 },
  { channels: ["discord", "webhook"], atOnce: 16 },
];
/** Largest number of deliveries that one run looks at, for each lane: more than can be under way. */
const perRun = 64;
/** Milliseconds after which a try without a recorded end counts as lost. */
const leaseMs = 60_000;

interface Claimed extends DueDelivery {
  tries: number;
  createdAt: number;
}

export class NoticeSender implements AsyncDisposable {
  readonly #app: NoticesContext;
  readonly #resolve: Resolve;
  readonly #ending = new AbortController();
  /** Tries under way, by account and channel. */
  readonly #sending = new Map<string, { channel: NoticeChannelName; task: Promise<void> }>();

  constructor(app: NoticesContext, resolve: Resolve = resolveByDns) {
    this.#app = app;
    this.#resolve = resolve;
  }

  /** Begins to send what is due, as far as there is room; does not wait for it. */
  async run(): Promise<void> {
    for (const lane of lanes) await this.#begin(lane);
  }

  async #begin({ channels, atOnce }: (typeof lanes)[number]): Promise<void> {
    const { db, clock, logger } = this.#app;
    const isFull = () =>
      [...this.#sending.values()].filter(({ channel }) => channels.includes(channel)).length >= atOnce;
    for (const due of await listDueDeliveries(db, { channels, now: clock.now(), limit: perRun })) {
      const name = `${due.accountId} ${due.channel}`;
      if (this.#sending.has(name)) continue;
      if (isFull() || this.#ending.signal.aborted) return;
      const task = this.#try(due)
        .catch((error: unknown) => {
          if (!this.#ending.signal.aborted)
            logger.error({ err: error, noticeId: due.noticeId }, "a notice could not be sent");
        })
        .finally(() => this.#sending.delete(name));
      this.#sending.set(name, { channel: due.channel, task });
    }
  }

  async #try(due: DueDelivery): Promise<void> {
    const { db, clock } = this.#app;
    const claimed = await transact(db, (tx) => {
      const now = clock.now();
      return claimDelivery(tx, { ...due, now, leaseUntil: now + leaseMs });
    });
    if (claimed === undefined) return;
    const notice = await findNotice(db, due.accountId, due.noticeId);
    const channel = (await listNoticeChannels(db, due.accountId)).find((row) => row.channel === due.channel);
    if (notice === undefined || channel === undefined || isTooOld(claimed, clock.now())) {
      await transact(db, (tx) => deleteDelivery(tx, due));
      return;
    }
    await this.#settle({ ...due, ...claimed }, await this.#send(notice, channel));
  }

  async #send(notice: NoticeRow, channel: NoticeChannelRow): Promise<DeliveryResult> {
    if (channel.channel === "email") return this.#mail(notice);
    const address = openAddress(this.#app, channel);
    if (address === null) return failure("unreadable");
    return this.#post(
      channel.channel === "discord"
        ? discordPost(notice, address)
        : webhookPost(notice, address, this.#app.clock.now()),
    );
  }

  #post(post: Post): Promise<DeliveryResult> {
    return postJson(post, { resolve: this.#resolve, policy: this.#app, signal: this.#ending.signal });
  }

  async #mail(notice: NoticeRow): Promise<DeliveryResult> {
    const { db, mail, logger } = this.#app;
    const person = await findPersonOfAccount(db, notice.accountId);
    if (person === undefined || !mail.isConfigured) return failure("no_mail");
    try {
      await mail.deliver(noticeMail({ to: person.email, content: notice.content }));
      return { isSent: true };
    } catch (error) {
      this.#ending.signal.throwIfAborted();
      logger.warn({ err: error, noticeId: notice.id }, "a notice could not be mailed");
      return failure("mail_refused");
    }
  }

  /** Records how a try ended, together with what follows from it. */
  async #settle(delivery: Claimed, result: DeliveryResult): Promise<void> {
    const { db, clock } = this.#app;
    await transact(db, async (tx) => {
      const at = clock.now();
      if (result.isSent) {
        await deleteDelivery(tx, delivery);
        await saveChannelSuccess(tx, { ...delivery, at });
        return;
      }
      const { code, status, retryAfterMs } = result;
      await saveChannelFailure(tx, { ...delivery, error: { code, status, at } });
      const until = nextTryAt(delivery, { now: at, retryAfterMs });
      if (until === null) await deleteDelivery(tx, delivery);
      else await putOffDelivery(tx, { ...delivery, until });
      if (retryAfterMs > 0) await putOffChannel(tx, { ...delivery, until: at + retryAfterMs });
    });
  }

  /** Breaks off what is under way: its lease ends by itself, and the next central sends it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await Promise.all([...this.#sending.values()].map(({ task }) => task));
  }
}

function failure(code: "unreadable" | "no_mail" | "mail_refused"): DeliveryResult {
  return { isSent: false, code, status: null, retryAfterMs: 0 };
}
