/** Names the sets of Debian packages that hosts without internet are installed from: a file for each system. */

import { releaseArchitectures, type ReleaseArchitecture } from "./release-manifest.ts";

export const packageSuites = ["bookworm", "trixie"] as const;
export type PackageSuite = (typeof packageSuites)[number];

/** Suite of the tools that agents fetch into trees of their own, on every host. */
export const toolsSuite = "trixie" satisfies PackageSuite;
/** Folder in an agent's directory of tools that holds their packages, on a host that was installed from a set. */
export const toolsArchive = `debian-${toolsSuite}`;

export interface PackageSet {
  /** Suite of the hosts that it is for. */
  suite: PackageSuite;
  architecture: ReleaseArchitecture;
}

export const packageSets: readonly PackageSet[] = packageSuites.flatMap((suite) =>
  releaseArchitectures.map((architecture) => ({ suite, architecture })),
);

/** Returns the name of the file that carries a set from one machine to another. */
export function packageSetFile({ suite, architecture }: PackageSet): string {
  return `tijolo-packages-${suite}-${architecture}.tar.gz`;
}

/** Returns the name of the link in central's store that leads to a set, which lies there under its hash. */
export function packageSetLink({ suite, architecture }: PackageSet): string {
  return `${suite}-${architecture}`;
}

/** Returns the hash that a set's name in central's store is made of; undefined for any other name. */
export function packageSetHash(name: string): string | undefined {
  return /^([0-9a-f]{64})\.tar\.gz$/.exec(name)?.[1];
}
