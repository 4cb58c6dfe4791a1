/** Defines what central's rules need of the link; implemented in `link/`. */

import { AppError, type HostItem, type HostQuestionOf, type HostRequestKind } from "@tijolo/protocol";

export interface HostLink {
  /** Cuts all connections of a host (revoked). */
  disconnect(hostId: string): void;
  /**
   * Asks a host for one of {@link hostRequests}, and yields the items of its answer in batches as they come.
   * Throws AppError `server_unavailable` when the host is disconnected or silent, {@link OlderAgentError} when
   * its agent does not know the request yet, and `invalid_request` for an input that the host refuses.
   */
  ask<Kind extends HostRequestKind>(
    hostId: string,
    request: HostQuestionOf<Kind>,
    signal: AbortSignal,
  ): AsyncIterable<HostItem<Kind>[]>;
}

/** Thrown when the host's agent speaks a protocol that does not have the request yet. */
export class OlderAgentError extends AppError {
  constructor() {
    super("server_unavailable");
  }
}
