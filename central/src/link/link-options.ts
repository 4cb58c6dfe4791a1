/** Defines the options that the composition root gives the link, and the link's bounds. */

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { linkMaxBufferedBytes, linkMaxFrameBytes, linkTimes, type LinkProtocol } from "@tijolo/protocol";
import type { GatewayBackend } from "../app/gateways/gateway-backend.ts";
import type { MeshBackend } from "../app/mesh/mesh-backend.ts";
import type { LinkBackend } from "../app/host-projects/link-backend.ts";

/** The part of pino's Logger that the link writes to. */
export interface LinkLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface LinkOptions {
  backend: LinkBackend;
  /** Absent: no gateway is accepted. */
  gateways?: GatewayBackend;
  /** Absent: no host is a member of the mesh. */
  mesh?: MeshBackend;
  /** Returns cryptographically strong random bytes. */
  random: (bytes: number) => Uint8Array;
  logger: LinkLogger;
  /** Returns the client's address, also behind trusted proxies. */
  addressOf: (request: IncomingMessage) => string;
  /** Called with the socket of a connection whose hello was accepted. */
  vouch: (socket: Duplex) => void;
  /** Protocol versions that this central speaks. Default: `linkProtocol`. */
  protocol?: LinkProtocol;
  /** Changes of {@link defaultLinkBounds}. */
  bounds?: Partial<LinkBounds>;
}

export const defaultLinkBounds = {
  pingMs: linkTimes.pingMs as number,
  pongMs: linkTimes.pongMs as number,
  /** Milliseconds from the connection to a successful hello. */
  helloMs: 10_000,
  /** Milliseconds without progress after which a socket with unsent data is cut. */
  writeMs: 15_000,
  maxBufferedBytes: linkMaxBufferedBytes,
  maxFrameBytes: linkMaxFrameBytes,
  /**
   * Most sockets that have not said hello yet: in all, and from one network. An agent counts as one for as
   * long as two answers take to come.
   */
  maxStrangers: 2_000,
  maxStrangersPerNetwork: 32,
  /** Calls of one connection that are under way at once. */
  maxCalls: 64,
  /** Runs of one host that are drained at once. */
  maxDrains: 1_024,
  /** Streams from one host at once. */
  maxStreams: 1_024,
  /** Batches of one stream that central holds unread before the agent has to wait. */
  maxUnreadBatches: 2,
  firstAnswerMs: 5_000,
  /** Milliseconds between two batches of a stream that does not follow. */
  nextAnswerMs: 30_000,
  /**
   * Milliseconds that a host may keep its reader waiting in all, over the batches of a page, a list or a
   * description.
   */
  wholeAnswerMs: 60_000,
  /** Most items of a list or a description. */
  maxListedItems: 20_000,
  /** Most archives that one host fetches at once. */
  maxDownloads: 8,
  /** Milliseconds without progress after which an archive download is ended. */
  downloadIdleMs: 60_000,
  /** Frames of a carrier that are taken in a tenth of a second; then it is not read until the next one. */
  maxCarriedFrames: 3_000,
};

export type LinkBounds = typeof defaultLinkBounds;

/** Close codes of the link's WebSockets; the reason has the same in words. */
export const closeCodes = {
  goingAway: 1001,
  malformed: 1007,
  tooMuch: 1008,
  noHello: 4000,
  replaced: 4001,
  revoked: 4003,
  refused: 4004,
} as const;
