/** What central's rules ask of the link; implemented in `link/`. */

import type {
  HeldProject,
  HostImageItem,
  HostImageRequest,
  HostLogItem,
  HostStateItem,
  LogRequest,
} from "@tijolo/protocol";

export interface HostLink {
  /** Cuts all connections of a host (revoked). */
  disconnect(hostId: string): void;
  /**
   * Lines of a project's log from its host, in batches; ends after the page when `follow` is false.
   * Throws AppError `server_unavailable` when the host is away or silent, or its agent does not know `before`
   * yet (one that does not is not asked for `previous` either), `invalid_request` for a bad cursor.
   */
  logs(
    hostId: string,
    projectId: string,
    query: LogRequest,
    signal: AbortSignal,
  ): AsyncIterable<HostLogItem[]>;
  /**
   * What a host answers about its images, in batches as it comes.
   * Throws AppError `server_unavailable` when the host is away or silent, or its agent does not know such
   * requests yet.
   */
  images(hostId: string, request: HostImageRequest, signal: AbortSignal): AsyncIterable<HostImageItem[]>;
  /**
   * What a host says of itself and its projects, in batches; nothing at all when its agent does not know the
   * question yet. Throws AppError `server_unavailable` when the host is away or silent.
   */
  describe(hostId: string, signal: AbortSignal): AsyncIterable<HostStateItem[]>;
  /**
   * One project whole, as the host knows it, or, with null, all that the host has and central does not want
   * there, in batches. Throws AppError `server_unavailable` when the host is away or silent, or its agent
   * does not know the question yet.
   */
  held(hostId: string, projectId: string | null, signal: AbortSignal): AsyncIterable<HeldProject[]>;
}
