/** Defines what central's rules do for the link, which itself never touches the database. */

import type { Readable } from "node:stream";
import type {
  Assignment,
  AssignmentOutline,
  HeldOutline,
  HeldProject,
  HostResources,
  ImageOverride,
  Joined,
  JoinRequest,
  ReportEntry,
  UsageReport,
} from "@tijolo/protocol";
import type { DepartureRow } from "../../store/tables/hosts/departure.ts";
import type { ObjectRange } from "../../objects/objects.ts";

export interface LinkBackend {
  /**
   * Returns the epoch to lead the host with, which rises with each start of central, also after an older
   * database was restored. The host has proved who it is, and has seen `heard`; a lower result means that
   * this central must not lead it.
   */
  epochAbove(hostId: string, heard: number): Promise<number>;
  /**
   * Uses up a single-use token and registers the key. Throws AppError `not_authenticated` for a wrong, used
   * or expired token.
   */
  join(request: JoinRequest): Promise<Joined>;
  /** Returns the raw Ed25519 public key, base64url; undefined for an unknown or revoked host. */
  findHostKey(hostId: string): Promise<string | undefined>;
  /**
   * Called when an authenticated control connection began; it replaces any earlier one. The host counts as
   * connected with `hostFollows`. Returns the highest outbox sequence taken so far.
   */
  hostConnected(
    hostId: string,
    hello: { build: string; resources: HostResources; machine?: string | undefined },
  ): Promise<{ takenSequence: number }>;
  /**
   * Called when the host has reported what it holds and asks for the desired state: from now on users'
   * actions reach it.
   */
  hostFollows(hostId: string): void;
  /** Called when the host's newest control connection ended (not for one that was replaced). */
  hostDisconnected(hostId: string): void;
  /** Called when a message of the host arrived: it is alive. */
  hostHeard(hostId: string): void;
  /**
   * Takes the outline of all that the host holds. Returns the ids that central asks for whole.
   */
  takeInventory(hostId: string, projects: HeldOutline[]): Promise<{ tell: string[] }>;
  /** Takes the projects that {@link takeInventory} asked for. */
  takeHeld(hostId: string, projects: HeldProject[]): Promise<void>;
  /**
   * Returns what changed of the desired state of a host since an earlier answer, in outline: no variables are
   * opened for it. Null stands for all.
   */
  wantedOf(hostId: string, since: WantedSince | null): Promise<WantedOfHost>;
  /**
   * Returns the desired state of these projects, complete; a project that no longer belongs to the host is
   * left out.
   */
  assignmentsOf(hostId: string, projectIds: readonly string[], known: KnownOf): Promise<Assignment[]>;
  /**
   * Calls back when the desired state of the host may have changed, as often as it may have. Returns the
   * unsubscribe function.
   */
  onDesiredChange(hostId: string, listener: () => void): () => void;
  /**
   * Takes entries in sequence order: effect and sequence number in one transaction, an entry already taken
   * changes nothing, one about another host's project or an older generation has no effect but is taken.
   * Returns the highest sequence taken.
   */
  takeReport(hostId: string, entries: ReportEntry[]): Promise<{ takenSequence: number }>;
  takeUsage(hostId: string, usage: UsageReport): Promise<void>;
  /** Returns an archive that one of the host's placements needs; undefined when none needs it. */
  findArchive(hostId: string, sha256: string): Promise<NeededArchive | undefined>;
}

export interface NeededArchive {
  sizeBytes: number;
  /** False when it is no longer stored. */
  isStored: boolean;
  /** Opens the archive. Throws when it is no longer stored. The caller must read the stream or destroy it. */
  open(range: ObjectRange): Promise<Readable>;
}

/** An earlier answer: what changed since then is what changed after its revision, and what it withheld. */
export type WantedSince = Pick<WantedOfHost, "revision" | "withheld">;

/** Leaves out the fields of an assignment that a host's protocol does not have, and signs the others. */
export type KnownOf = <Part extends object>(part: Part) => Part;

export interface WantedOfHost {
  revision: number;
  outlines: AssignmentOutline[];
  /**
   * Projects that are held back from the host for now, and left out: without a reason the host gives nothing
   * up, and continues with what it has.
   */
  withheld: string[];
  /** Projects that left this host, and why, as long as it may still hold something of them. */
  departures: DepartureRow[];
  /** All overrides, in one order. */
  imageOverrides: ImageOverride[];
}
