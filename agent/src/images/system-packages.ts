/**
 * Builds the layer of a project's system packages, places it, and explains to the owner why they cannot be
 * installed.
 */

import type { AptError } from "./apt-layer.ts";
import { SystemPackagesError } from "./image.ts";
import type { AptLayer, LayerRecipe } from "./recipe.ts";

/**
 * Packages that Debian only recommends, but without which a package does not do what its users expect. The
 * names exist in every suite.
 */
const companions: Readonly<Record<string, readonly string[]>> = {
  git: ["openssh-client"], // addresses like git@…
};

/** Returns the same layer for every order of the names; null without any. `suites` as in {@link AptLayer}. */
export function systemPackagesLayer(names: readonly string[], suites: AptLayer["suites"]): AptLayer | null {
  const set = [...new Set(names)].sort();
  if (set.length === 0) return null;
  const packages = [...new Set(set.flatMap((name) => [name, ...(companions[name] ?? [])]))].sort();
  return {
    kind: "apt",
    revision: 1,
    suites,
    packages,
    links: [],
    title: `system packages ${set.join(", ")}`,
  };
}

/**
 * Places the layer directly above what dpkg knows of: what comes from elsewhere lies above it, so that
 * versions of a language share it.
 */
export function withSystemPackages(
  layers: readonly LayerRecipe[],
  system: AptLayer | null,
): readonly LayerRecipe[] {
  if (system === null) return layers;
  const topmostOfDpkg = layers.findIndex(({ kind }) => kind !== "npm");
  return layers.toSpliced(topmostOfDpkg === -1 ? layers.length : topmostOfDpkg, 0, system);
}

/** Returns the suites that packages above a stack come from: those of its root file system. */
export function suitesOf(layers: readonly LayerRecipe[]): AptLayer["suites"] {
  const base = layers.find((layer) => layer.kind === "bootstrap");
  return base === undefined ? null : [base.suite];
}

export function systemPackagesError(names: readonly string[], error: AptError): SystemPackagesError {
  const packages = [...new Set(names)].sort();
  return new SystemPackagesError(`system packages ${packages.join(", ")}: ${error.message}`, {
    forOwner: { code: "system_packages_unavailable", packages, reason: error.message.slice(0, 250) },
    cause: error,
  });
}
