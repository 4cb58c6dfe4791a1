/**
 * Images as operators see them: where those of a language version come from, what lies on a host, what a pull
 * or a removal did.
 */

import { z } from "zod";
import { count } from "../values/amounts.ts";
import { isSupportedVersion, languages, languageVersions, type Language } from "./language.ts";
import { plainText, shownText } from "../values/plain-text.ts";
import { systemPackage } from "../project/system-package.ts";

const registry = String.raw`(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::\d{1,5})?|\[[0-9a-fA-F:.]+\](?::\d{1,5})?)`;
const pathPart = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";

/**
 * As Docker writes it: `ruby:4.0`, `registry.example:5000/team/ruby:4.0`, with `@sha256:…` where it must
 * never change.
 */
export const imageReference = z
  .string()
  .max(400)
  .regex(
    new RegExp(
      `^(?:${registry}/)?${pathPart}(?:/${pathPart})*(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$`,
    ),
  );

const hasImage = ({ language, version }: { language: Language; version: string }) =>
  language !== "static" && isSupportedVersion(language, version);

/** A language version of the specification that runs on an image; `static` has none. */
export const imageVersion = z
  .strictObject({ language: z.enum(languages), version: plainText(20) })
  .refine(hasImage, "there is no such language version, or it has no image");
export type ImageVersion = z.infer<typeof imageVersion>;

export const imageVersions: readonly ImageVersion[] = languages
  .filter((language) => language !== "static")
  .flatMap((language) => languageVersions[language].map((version) => ({ language, version })));

/**
 * An operator has a language version run on this image, and on no other: the recipe's own sources are not
 * tried when it cannot be had, so that nobody's project runs on what the operator did not choose.
 */
export const imageOverride = z.object({
  language: z.enum(languages),
  version: plainText(20),
  reference: imageReference,
});
export type ImageOverride = z.infer<typeof imageOverride>;

/** As a project's settings name an image. */
export const imageNeed = z.object({
  language: z.enum(languages),
  version: plainText(20),
  systemPackages: z.array(systemPackage).max(50),
});
export type ImageNeed = z.infer<typeof imageNeed>;

const name = plainText(1_000);
const text = shownText(1_000);

/**
 * One layer on a host. Layers are shared: the sizes of those of an image are what it takes, those of all
 * images what the disk holds.
 */
export const hostLayer = z.object({
  digest: name,
  title: text,
  /** What it was made from. */
  source: z.enum(["debian", "npm", "oci"]),
  /** Suites of Debian's archive, packages of the npm registry, or the reference. */
  origin: text,
  sizeBytes: count,
  builtAt: text,
  /** Projects of the host that run on it, or did when they last ran. */
  projects: count,
  /** Belongs to an image that an operator pulled: it stays whether it is used or not. */
  isPulled: z.boolean(),
});
export type HostLayer = z.infer<typeof hostLayer>;

/** Where a host takes the image of a language version from. */
export const hostRecipe = z.object({
  language: z.enum(languages),
  version: name,
  /** The operator's image, in place of the sources. */
  override: name.nullable(),
  /** In the order in which they are tried. */
  sources: z.array(z.object({ source: z.enum(["debian", "oci"]), origin: text, why: text })).max(20),
});
export type HostRecipe = z.infer<typeof hostRecipe>;

/** What a host has, item by item. */
export const imageListItem = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("image-layer"), layer: hostLayer }),
  z.object({ kind: z.literal("image-recipe"), recipe: hostRecipe }),
]);

/** What a pull does on a host, as it happens. */
export const imagePullItem = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("image-progress"), image: imageNeed, text }),
  z.object({
    kind: z.literal("image-pulled"),
    image: imageNeed,
    /** What its layers come from. */
    origins: z.array(text).max(100),
    sizeBytes: count,
    /** Something of it was not on the host before. */
    isNew: z.boolean(),
    /** Running projects of this language version that stay on another image until their next start. */
    runningOnOther: count,
  }),
  z.object({ kind: z.literal("image-failed"), image: imageNeed, reason: text }),
]);
export type ImagePullItem = z.infer<typeof imagePullItem>;

/** What a host removed of its images. */
export const imagePruneItem = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("layer-removed"), digest: name, title: text, sizeBytes: count }),
  /** The host shares its images with other agents of its machine, so none of them removes any. */
  z.object({ kind: z.literal("removal-refused"), reason: z.literal("shared") }),
]);
export type ImagePruneItem = z.infer<typeof imagePruneItem>;

export interface HostReference {
  id: string;
  name: string;
}

/** Which hosts an operator means: one by id or name, or all. */
export const hostChoice = z.strictObject({ host: z.string().trim().min(1).max(100).optional() });

export const imagePull = hostChoice.extend({
  images: z.array(imageVersion).min(1).max(100),
  systemPackages: z.array(systemPackage).max(50).default([]),
});
export type ImagePull = z.output<typeof imagePull>;

/**
 * `isReached` false: the host is away, or silent, or its agent is older than these requests. Then the lists
 * are what came before.
 */
export interface HostImages {
  host: HostReference;
  isReached: boolean;
  layers: HostLayer[];
  recipes: HostRecipe[];
}

export interface ImageList {
  hosts: HostImages[];
  /** What central tells every host; one that is away takes it when it returns. */
  overrides: ImageOverride[];
}

/** What a pull does on one host, as it happens; `host-lost` is the last of its host. */
export type ImagePullEvent = { host: HostReference } & (ImagePullItem | { kind: "host-lost" });

export interface HostRemovals {
  host: HostReference;
  isReached: boolean;
  isShared: boolean;
  removed: { digest: string; title: string; sizeBytes: number }[];
}

/** `hosts`: those that know of the change already, as they are connected. */
export interface ImageOverrideChange {
  override: ImageOverride | null;
  before: string | null;
  hosts: { connected: number; away: number };
}
