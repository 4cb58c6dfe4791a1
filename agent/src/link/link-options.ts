/** Defines the options that the composition root gives the agent's link, and the link's bounds. */

import {
  linkTimes,
  type HeldOutline,
  type HeldProject,
  type Hello,
  type HostItem,
  type HostRequestInput,
  type HostRequestKind,
  type MeshNews,
  type MeshRequest,
  type MeshUpdate,
} from "@tijolo/protocol";
import type { Ledger } from "../ledger/ledger.ts";
import { defaultConnectionBounds, type Identity, type LinkTls } from "@tijolo/protocol/kit/link";

/** The part of pino's Logger that the link writes to. */
export interface LinkLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface LinkHandlers {
  /** Returns the agent's description of itself, which is sent at the beginning of each connection. */
  describe(): Promise<HostDescription>;
  /** Called when the desired state has changed in the ledger. Must not throw. */
  onDesired(): void;
  /** Puts the state of each project into the ledger's outbox once more. */
  tellStates(): void;
  /** Lists every project that this host holds something of. */
  inventory(): Promise<HeldOutline[]>;
  /**
   * Yields these projects completely, in batches; with null, all projects that central does not want here.
   */
  held(projectIds: readonly string[] | null, signal: AbortSignal): AsyncIterable<HeldProject[]>;
  answers: HostAnswers;
  /** The host's part in the mesh, and the receiver of what central tells of it. Absent: it has none. */
  mesh?: MeshHandlers;
}

export interface MeshHandlers {
  own(): MeshRequest;
  take(update: MeshUpdate): void;
  /** Returns what central is to know after a change. */
  news(): MeshNews;
  /** Calls back when that may have changed. Returns the unsubscribe function. */
  onNews(listener: () => void): () => void;
}

/**
 * Handlers of central's requests, one per kind: each yields items in batches of any size. An empty batch says
 * that the answer is being worked on. The signal is aborted when central no longer needs the answer. Throws
 * {@link LogRequestError} for what is to be reported to central; any other error is reported as a fault of
 * the host.
 */
export type HostAnswers = {
  [Kind in HostRequestKind]: (
    input: HostRequestInput<Kind>,
    signal: AbortSignal,
  ) => AsyncIterable<HostItem<Kind>[]>;
};

export type HostDescription = Pick<Hello, "build" | "resources" | "machine">;

/** Characters of a refusal of central in the log. */
export const maxReasonLength = 500;

/**
 * Thrown when a log cannot be read. `bad_cursor`: the cursor belongs to another log. `gone`: the project is
 * not on this host.
 */
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
  /** The pinned authority of central; undefined without one. */
  tls?: LinkTls | undefined;
  identity: Identity;
  /** Returns the host's id, which changes when the host joins anew. */
  hostId: () => string;
  /**
   * Called when central does not know this host. Resolves with true when the host has joined anew, and the
   * next attempt is worth making now. Must not reject.
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
  ...defaultConnectionBounds,
  backOffMinMs: linkTimes.backOffMinMs as number,
  backOffMaxMs: linkTimes.backOffMaxMs as number,
  /** Milliseconds after which a connection that lived resets the back-off. */
  stableMs: 15_000,
  /** Milliseconds between attempts while central refuses this host. */
  refusedMs: 60_000,
  /** Milliseconds for one call of central. */
  callMs: 10_000,
  /** Milliseconds after which central is told again what this host is in the mesh, if it has not taken it. */
  tellAgainMs: 5_000,
  /** Most requests of central that are answered at once. */
  maxRequests: 1_024,
  /** Most entries of the outbox in one call. */
  maxReportEntries: 500,
};

export type LinkBounds = typeof defaultLinkBounds;
