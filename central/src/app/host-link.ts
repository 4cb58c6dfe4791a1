/** What central's rules ask of the link; implemented in `link/`. */

import type { HostLogItem, LogRequest } from "@tijolo/protocol";

export interface HostLink {
  /** The host has a live, authenticated control connection. */
  isConnected(hostId: string): boolean;
  /** Cuts all connections of a host (revoked). */
  disconnect(hostId: string): void;
  /**
   * Lines of a project's log from its host, in batches; ends after the page when `follow` is false.
   * Throws AppError `server_unavailable` when the host is away or silent, `invalid_request` for a bad cursor.
   */
  logs(hostId: string, projectId: string, query: LogRequest, signal: AbortSignal): AsyncIterable<HostLogItem[]>;
}
