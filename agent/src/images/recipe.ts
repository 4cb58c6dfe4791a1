/** What an image is made of, as data, and the digest that names each of its layers. */

import { createHash } from "node:crypto";
import type { Language } from "@tijolo/protocol";

/** How the root file system of one language version comes about. */
export interface Recipe {
  language: Language;
  version: string;
  /** Tried in order until one can be built. */
  sources: readonly ImageSource[];
}

/** One way to come by an image; told apart by `kind`. */
export type ImageSource = DebianSource;

/** Layers made on this host from Debian's archive, with language builds from the npm registry on top. */
export interface DebianSource {
  kind: "debian";
  /** Topmost layer first, as overlayfs takes them. */
  layers: readonly LayerRecipe[];
}

export type LayerRecipe = BootstrapLayer | NpmLayer;

/** A complete Debian root file system by mmdebstrap. */
export interface BootstrapLayer {
  kind: "bootstrap";
  /** Raised to have the layer built anew from the archive's current packages. */
  revision: number;
  suite: string;
  packages: readonly string[];
  /** What people call it: "Debian trixie". */
  title: string;
}

/** Files out of packages of the npm registry. */
export interface NpmLayer {
  kind: "npm";
  revision: number;
  packages: readonly NpmPackage[];
  /** Symbolic links to add: path below the root, and what it points to. */
  links: readonly { path: string; target: string }[];
  title: string;
}

export interface NpmPackage {
  name: string;
  version: string;
  /** `sha512-…` of the tarball, as the registry publishes it; a tarball with another hash is refused. */
  integrity: string;
  /** Which part of the package goes where; both relative, `from` to the package, `to` to the root. */
  place: readonly { from: string; to: string }[];
}

/** The processor architectures that recipes exist for, in Node's words. */
export const architectures = ["x64", "arm64"] as const;

export type Architecture = (typeof architectures)[number];

/** Names a layer by everything its content depends on. The title is no part of it. */
export function layerDigest(layer: LayerRecipe, architecture: Architecture): string {
  const { title: _, ...content } = layer;
  return createHash("sha256")
    .update(canonicalJson({ architecture, ...content }))
    .digest("hex")
    .slice(0, 32);
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
