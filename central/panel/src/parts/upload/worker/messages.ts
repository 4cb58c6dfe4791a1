/** Defines what the page and its worker say to each other while a folder is read and packed. */

import type { IgnoredPath, RestoredPath } from "@tijolo/protocol/ignore";
import type { NeededPath, ProjectConfig, Proposal } from "@tijolo/protocol/proposal";

/** A file of a chosen folder; `name` is its path in the folder, with `/`. */
export interface GivenFile {
  name: string;
  file: Blob;
}

/** Something that stays out of the upload, with how much it is. */
export interface LeftOut extends IgnoredPath {
  fileCount: number;
  /** Null where it was not looked at. */
  bytes: number | null;
}

export interface SizedName {
  name: string;
  bytes: number;
}

/** What was found in a folder or an archive. */
export interface Inspection {
  kind: "folder" | "archive";
  /** Name of the folder, or of the archive without its ending. */
  name: string;
  /** Files that are sent, and their bytes; of a folder without its `.env`, which is sent only when asked for. */
  fileCount: number;
  totalBytes: number;
  /** The largest of the files that are sent. */
  largest: SizedName[];
  leftOut: LeftOut[];
  restored: RestoredPath[];
  /** Text of a `.env` that lies in it; null without one. */
  dotenv: string | null;
  /** True when the ignore files leave that `.env` out anyway. */
  isDotenvIgnored: boolean;
  /** Settings of its svc.json; null without one. */
  svcJson: { config: ProjectConfig } | { problem: string } | null;
  /** What fits it, where it has no svc.json; null when nothing shows how it is started. */
  proposal: Proposal | null;
}

/** The archive that is sent. */
export interface Packed {
  blob: Blob;
  fileCount: number;
  /** Bytes of the files before they are compressed; of an archive its own. */
  totalBytes: number;
  restored: RestoredPath[];
  /** What the configuration names and the archive lacks. */
  missing: NeededPath | null;
}

export interface PackOptions {
  /** The configuration that the project will have: what it names is sent even if an ignore file names it. */
  config: ProjectConfig;
  /** True to send the `.env` as a file, where no ignore file leaves it out. */
  withDotenv: boolean;
  /** Bytes at which it is given up; null when the limit is not known. */
  mostBytes: number | null;
}

/** Reasons for which nothing can be packed. */
export type PackProblem =
  | { code: "empty" }
  | { code: "notAnArchive" }
  | { code: "tooManyFiles"; most: number; count: number }
  | { code: "tooLarge"; mostBytes: number }
  | { code: "changed"; name: string }
  | { code: "unreadable"; name: string };

export type ToWorker =
  | { kind: "files"; files: GivenFile[] }
  | { kind: "inspect"; name: string }
  | { kind: "inspectArchive"; name: string; file: Blob }
  | { kind: "pack"; options: PackOptions };

export type FromWorker =
  | { kind: "inspected"; inspection: Inspection }
  | { kind: "progress"; doneBytes: number; totalBytes: number }
  | { kind: "packed"; packed: Packed }
  | { kind: "refused"; problem: PackProblem }
  | { kind: "failed"; message: string };
