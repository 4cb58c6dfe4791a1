/** Defines what an image is made of, as data, and computes the digest that names each of its layers. */

import { createHash } from "node:crypto";
import type { Language } from "@tijolo/protocol";

/** The way to make the root file system of one language version. */
export interface Recipe {
  language: Language;
  version: string;
  /** Sources, tried in order until one can be built. */
  sources: readonly ImageSource[];
}

/** One way to come by an image; told apart by `kind`. */
export type ImageSource = DebianSource | OciSource;

/** Layers made on this host from Debian's archive, with packages of the npm registry on top. */
export interface DebianSource {
  kind: "debian";
  /** Reason for this source, at this place in the order. */
  why: string;
  /** Layers, topmost first, as overlayfs takes them. The last one is a {@link BootstrapLayer}. */
  layers: readonly LayerRecipe[];
}

/** An image pulled from a registry. */
export interface OciSource {
  kind: "oci";
  why: string;
  /** Full reference: `docker.io/library/python:3.12-slim-trixie`. */
  reference: string;
  /**
   * Packages that its users need besides to install their dependencies; from the archive that the image
   * itself names.
   */
  packages: readonly string[];
}

export type LayerRecipe = BootstrapLayer | AptLayer | NpmLayer;

/** A complete Debian root file system by mmdebstrap. */
export interface BootstrapLayer {
  kind: "bootstrap";
  /** Revision of the recipe; raised to have the layer built anew from the archive's current packages. */
  revision: number;
  suite: string;
  packages: readonly string[];
  /** Title for people: "Debian trixie". */
  title: string;
}

/** The changes that `apt-get install` of some packages makes to the layers below it. */
export interface AptLayer {
  kind: "apt";
  revision: number;
  /**
   * Suites of Debian's archive that packages come from; null: the sources that the root file system below
   * names itself.
   */
  suites: readonly string[] | null;
  /** Packages as apt takes them, including `name/suite`. */
  packages: readonly string[];
  links: readonly LayerLink[];
  title: string;
  /** A command that is run in it at the end, without a network. */
  finish?: readonly string[];
}

/** Files out of packages of the npm registry. */
export interface NpmLayer {
  kind: "npm";
  revision: number;
  packages: readonly NpmPackage[];
  links: readonly LayerLink[];
  title: string;
}

/** A symbolic link to add: path below the root, and what it points to. */
export interface LayerLink {
  path: string;
  target: string;
}

export interface NpmPackage {
  name: string;
  version: string;
  /** `sha512-…` of the tarball, as the registry publishes it; a tarball with another hash is refused. */
  integrity: string;
  /** Parts of the package and where each goes; both relative, `from` to the package, `to` to the root. */
  place: readonly { from: string; to: string }[];
}

/** The processor architectures that recipes exist for, in Node's words. */
export const architectures = ["x64", "arm64"] as const;

export type Architecture = (typeof architectures)[number];

/**
 * Names a layer by everything its content depends on; the title is no part of it.
 * `below` are the digests of the layers it stands on, topmost first: only what apt makes depends on them.
 */
export function layerDigest(
  layer: LayerRecipe,
  architecture: Architecture,
  below: readonly string[] = [],
): string {
  const { title: _, ...content } = layer;
  return createHash("sha256")
    .update(canonicalJson({ architecture, ...content, ...(layer.kind === "apt" ? { below } : {}) }))
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
