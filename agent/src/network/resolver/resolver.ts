/**
 * Answers one query of one project: its account's own names from the zone, all others through the host's
 * resolvers.
 */

import { askByTcp, askByUdp, type UpstreamOptions } from "./ask-upstream.ts";
import type { FairShare } from "./fair-share.ts";
import { rcodes, readQuestion } from "./question.ts";
import { bareReply, ownReply } from "./reply.ts";
import type { ZoneTable } from "./zone.ts";

export interface ResolverOptions {
  zone(): ZoneTable;
  share: FairShare;
  /** Options for tests with upstreams of their own. */
  upstream?: Omit<UpstreamOptions, "upstreams">;
}

export interface Asker {
  address: string;
  port: number;
  transport: "udp" | "tcp";
}

export class Resolver {
  readonly #options: ResolverOptions;
  /** Pending queries: a repeated query does not count as a second one. */
  readonly #waiting = new Set<string>();

  constructor(options: ResolverOptions) {
    this.#options = options;
  }

  /** Returns the reply, or null for none. Never rejects, whatever the message holds. */
  async answer(message: Buffer, asker: Asker): Promise<Buffer | null> {
    const { zone, share } = this.#options;
    if (!share.mayAsk(asker.address)) return null;
    const reading = readQuestion(message);
    if (reading.kind === "ignored") return null;
    const table = zone();
    const accountId = table.accountOf(asker.address);
    if (reading.kind === "refused") return bareReply(reading.head, reading.rcode);
    if (accountId === undefined) return bareReply(reading.question.head, rcodes.refused);
    const { question } = reading;
    if (reading.kind === "own") return ownReply(question, table.addressOf(accountId, question.name));
    return this.#askOutside(message, question.head, asker, table.upstreams);
  }

  async #askOutside(
    message: Buffer,
    head: Buffer,
    asker: Asker,
    upstreams: readonly string[],
  ): Promise<Buffer | null> {
    const { share, upstream } = this.#options;
    const key = `${asker.transport} ${asker.address} ${asker.port} ${head.toString("latin1")}`;
    if (this.#waiting.has(key)) return null;
    const ask = asker.transport === "udp" ? askByUdp : askByTcp;
    return share.whileWaiting(asker.address, async () => {
      this.#waiting.add(key);
      try {
        return (await ask(message, { upstreams, ...upstream })) ?? bareReply(head, rcodes.serverFailure);
      } finally {
        this.#waiting.delete(key);
      }
    });
  }
}
