/** What the agent's link is given by the composition root, and the bounds it keeps. */

import {
  linkMaxBufferedBytes,
  linkMaxFrameBytes,
  linkTimes,
  type HeldOutline,
  type HeldProject,
  type Hello,
  type HostItem,
  type HostRequestInput,
  type HostRequestKind,
} from "@tijolo/protocol";
import type { Ledger } from "../ledger/ledger.ts";
import type { Identity } from "./identity.ts";

/** The part of pino's Logger that the link writes to. */
export interface LinkLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface LinkHandlers {
  /** What the agent says of itself at the beginning of each connection. */
  describe(): Promise<HostDescription>;
  /** What is wanted has changed in the ledger. Must not throw. */
  onDesired(): void;
  /** Puts the state of each project into the ledger's outbox once more. */
  tellStates(): void;
  /** All that this host has something of. */
  inventory(): Promise<HeldOutline[]>;
  /** These projects whole, or, with null, all that central does not want of this host; in batches. */
  held(projectIds: readonly string[] | null, signal: AbortSignal): AsyncIterable<HeldProject[]>;
  answers: HostAnswers;
}

/**
 * What answers central's requests, one by one: items in batches of any size. An empty batch says that the answer
 * is being worked on. Aborted when central lost interest. Throws {@link LogRequestError} for what central should
 * be told; any other error is told as a fault of the host.
 */
export type HostAnswers = {
  [Kind in HostRequestKind]: (
    input: HostRequestInput<Kind>,
    signal: AbortSignal,
  ) => AsyncIterable<HostItem<Kind>[]>;
};

export type HostDescription = Pick<Hello, "build" | "resources">;

/** Characters of a refusal of central in the log. */
export const maxReasonLength = 500;

/** `bad_cursor`: the cursor is none of this log. `gone`: the project is not on this host. */
export class LogRequestError extends Error {
  override name = "LogRequestError";
  readonly reason: "bad_cursor" | "gone";

  constructor(reason: "bad_cursor" | "gone") {
    super(reason);
    this.reason = reason;
  }
}

export interface LinkOptions {
  /** `http(s)://host:port` of central. */
  centralUrl: string;
  identity: Identity;
  /** Changes when the host joins anew. */
  hostId: () => string;
  /**
   * Called when central does not know this host. True: it has joined anew, and the next attempt is worth
   * making now. Must not reject.
   */
  joinAnew: () => Promise<boolean>;
  ledger: Ledger;
  handlers: LinkHandlers;
  /** Returns a number from 0 to below 1. */
  random: () => number;
  logger: LinkLogger;
  /** Changes of {@link defaultLinkBounds}. */
  bounds?: Partial<LinkBounds>;
}

export const defaultLinkBounds = {
  pingMs: linkTimes.pingMs as number,
  pongMs: linkTimes.pongMs as number,
  backOffMinMs: linkTimes.backOffMinMs as number,
  backOffMaxMs: linkTimes.backOffMaxMs as number,
  /** A connection that lived this long starts the back-off anew. */
  stableMs: 15_000,
  /** Between attempts while central refuses this host. */
  refusedMs: 60_000,
  /** From the attempt to the welcome. */
  connectMs: 15_000,
  /** One call of central. */
  callMs: 10_000,
  maxFrameBytes: linkMaxFrameBytes,
  maxBufferedBytes: linkMaxBufferedBytes,
  /** Requests of central that are answered at once. */
  maxRequests: 1_024,
  /** Entries of the outbox told in one call. */
  maxReportEntries: 500,
};

export type LinkBounds = typeof defaultLinkBounds;
