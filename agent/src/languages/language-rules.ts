/**
 * Defines what Tijolo must know of a language beside its image: how its projects are installed, and the
 * environment they expect.
 */

import type { OwnerMessage, ProjectSettings } from "@tijolo/protocol";

export interface LanguageRules {
  /** Returns the steps of the automatic install. */
  plan(tree: SourceTree, settings: ProjectSettings): InstallStep[];
  /** Returns notices to the owner: files that the automatic install does not act on. */
  notes?(tree: SourceTree): OwnerMessage[];
  /** Files of ours that its containers see; absolute paths. */
  files: readonly { source: string; target: string }[];
  /** Folders before all others of PATH. */
  path: readonly string[];
  /** Defaults of every step; a project's own variables of the same names win. */
  environment: Readonly<Record<string, string>>;
  /**
   * Returns the default variables of install steps. `heapMb` is the share of the install's memory that is
   * meant for the heap. `imageHas` tells whether the image has a file; its path has no slash before it.
   */
  installEnvironment(heapMb: number, imageHas: (path: string) => boolean): Record<string, string>;
  /**
   * Returns defaults of a run alone. `heapMb` is the share of the memory limit that is meant for the
   * runtime's heap.
   */
  runEnvironment(heapMb: number): Record<string, string>;
}

/** The files of an upload. Paths are relative to the project's root; a link leads nowhere. */
export interface SourceTree {
  has(path: string): boolean;
  hasFolder(path: string): boolean;
  /** Returns the first 1 MiB of a file's text; undefined when there is no such file. */
  read(path: string): string | undefined;
  /**
   * Returns the SHA-256 of each whole file, in hex, null where there is none; undefined when together they
   * have more than 16 MiB.
   */
  digests(paths: readonly string[]): (string | null)[] | undefined;
}

/** One command, run in a container of its own; what it writes under /app becomes a layer. */
export interface InstallStep {
  name: "dependencies" | "build";
  /** Text that `/bin/sh -c` runs in /app. */
  command: string;
  /**
   * Files of the upload that decide its result, by which it is cached; null: it may depend on anything. Only
   * of a first step.
   */
  inputs: readonly string[] | null;
}
