/** Defines what the recipes of several languages build on: one root file system per Debian suite. */

import type { AptLayer, BootstrapLayer, LayerLink } from "../recipe.ts";

export type BaseSuite = "bookworm" | "trixie" | "forky" | "sid";

/**
 * Packages that every program expects of a machine: certificate authorities, time zones, the C++ runtime that
 * Node's builds need.
 */
const basePackages = ["ca-certificates", "libstdc++6", "tzdata"];

export function debianBase(suite: BaseSuite): BootstrapLayer {
  return { kind: "bootstrap", revision: 1, suite, packages: basePackages, title: `Debian ${suite}` };
}

export interface LanguageLayer {
  title: string;
  suites: readonly string[];
  packages: readonly string[];
  links?: readonly LayerLink[];
  finish?: readonly string[];
}

export function languageLayer({ title, suites, packages, links = [], finish }: LanguageLayer): AptLayer {
  return {
    kind: "apt",
    revision: 1,
    suites,
    packages,
    links,
    title,
    ...(finish === undefined ? {} : { finish }),
  };
}
