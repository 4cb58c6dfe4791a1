/** Defines `release.json`, which is signed and says what a release consists of. */

import { z } from "zod";

/** A version as `1.4.0` or `1.4.0-rc.1`. */
export const releaseVersion = z.string().regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}(-[0-9a-z.]{1,30})?$/);
export const releaseArchitectures = ["x64", "arm64"] as const;
export type ReleaseArchitecture = (typeof releaseArchitectures)[number];

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Fields that a later release adds are ignored by this one. */
export const releaseManifest = z.object({
  version: releaseVersion,
  /** Time of the commit that the release was built from, in seconds; also that of each packed file. */
  commitTime: z.int().min(0),
  /** Versions of the link that central and agent of this release speak. */
  protocol: z.object({ min: z.int().min(1), max: z.int().min(1) }),
  /** Version of each database's schema, and that of the oldest program that can open it. */
  schemas: z.record(
    z.string().regex(/^[a-z]{1,20}$/),
    z.object({ version: z.int().min(0), oldestReader: z.int().min(0) }),
  ),
  files: z
    .array(
      z.object({
        name: z.string().regex(/^[a-z0-9][a-z0-9.-]{0,99}$/),
        architecture: z.enum(releaseArchitectures),
        bytes: z.int().min(1),
        sha256,
      }),
    )
    .min(1)
    .max(10),
});
export type ReleaseManifest = z.infer<typeof releaseManifest>;

/** Names of the files beside the archives: the manifest, and its signature. */
export const manifestName = "release.json";
export const signatureName = "release.json.sig";

/** Returns the name of a release's archive, and of the one folder in it. */
export function releaseName(version: string, architecture: ReleaseArchitecture): string {
  return `tijolo-${version}-linux-${architecture}`;
}

/** Returns a number below 0 when `one` is the older version, above 0 when it is the newer one. */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [one, other].map((version) => {
    const [numbers = "", suffix = ""] = version.split("-", 2);
    return { numbers: numbers.split(".").map(Number), suffix };
  }) as [{ numbers: number[]; suffix: string }, { numbers: number[]; suffix: string }];
  for (const index of [0, 1, 2]) {
    const difference = (first.numbers[index] ?? 0) - (second.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (first.suffix === second.suffix) return 0;
  if (first.suffix === "") return 1;
  if (second.suffix === "") return -1;
  return first.suffix < second.suffix ? -1 : 1;
}
