/** What the link needs of central's rules; implemented by `app/`, which alone touches the database. */

import type { Assignment, HostLogItem, HostResources, JoinRequest, LogRequest, ReportEntry, UsageReport } from "@tijolo/protocol";

export interface LinkBackend {
  /** Rises with each start of central, also after an older database was restored. */
  readonly epoch: number;
  /** Uses up a single-use token and registers the key. Throws AppError `not_authenticated` for a wrong, used or expired token. */
  join(request: JoinRequest): Promise<{ hostId: string }>;
  /** Raw Ed25519 public key, base64url; undefined for an unknown or revoked host. */
  findHostKey(hostId: string): Promise<string | undefined>;
  /** An authenticated control connection began; it replaces any earlier one. Answers the highest outbox sequence taken so far. */
  hostConnected(hostId: string, hello: { bootId: string; agentId: string; build: string; resources: HostResources }): Promise<{ takenSequence: number }>;
  /** The host's newest control connection ended (not called for one that was replaced). */
  hostDisconnected(hostId: string): void;
  /** Something was heard from the host: it is alive. */
  hostHeard(hostId: string): void;
  /** All that is wanted of a host now. */
  desiredOf(hostId: string): Promise<{ revision: number; assignments: Assignment[] }>;
  /** Calls back (coalesced, without arguments) when what is wanted of the host may have changed. Returns the unsubscribe function. */
  onDesiredChange(hostId: string, listener: () => void): () => void;
  /**
   * Takes entries in sequence order: effect and sequence number in one transaction, an entry already taken changes nothing,
   * one about another host's project or an older generation has no effect but is taken. Answers the highest sequence taken.
   */
  takeReport(hostId: string, entries: ReportEntry[]): Promise<{ takenSequence: number }>;
  takeUsage(hostId: string, usage: UsageReport): void;
  /** Path of a stored archive that one of the host's placements needs; undefined otherwise. */
  findArchive(hostId: string, sha256: string): Promise<{ path: string; sizeBytes: number } | undefined>;
}

/** What central's rules and edges need of the link; implemented in `link/`. */
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
