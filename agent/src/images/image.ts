/** Defines the requests to the image store and its results. */

import type { Language, OwnerMessage } from "@tijolo/protocol";

/** Request for an image; these three fields identify it. */
export interface ImageRequest {
  language: Language;
  version: string;
  /** System packages in any order; the same set is the same image. */
  systemPackages: readonly string[];
}

/** A read-only root file system. */
export interface Image {
  /** Directories, topmost layer first; none for `static`. Their files are owned 0-based. */
  layers: string[];
  /**
   * Variables that the image itself sets (the `Env` of an OCI image's configuration, `PATH` for example);
   * empty for images made of Debian packages.
   */
  environment: Record<string, string>;
}

/** Thrown when the project's system packages could not be installed; carries what its owner is told. */
export class SystemPackagesError extends Error {
  override name = "SystemPackagesError";
  /** Says which packages could not be had, and why. */
  readonly forOwner: OwnerMessage;

  constructor(message: string, { forOwner, cause }: { forOwner: OwnerMessage; cause?: unknown }) {
    super(message, { cause });
    this.forOwner = forOwner;
  }
}
