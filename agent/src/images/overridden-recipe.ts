/** Replaces a recipe's own sources by an operator's image, as this host follows it. */

import type { ImageOverride, Language } from "@tijolo/protocol";
import type { Architecture, Recipe } from "./recipe.ts";
import { findRecipe } from "./recipes/find-recipe.ts";

/**
 * Uses the operator's image alone: with the recipe's sources behind it, a registry that is unreachable for a
 * minute would have projects run on an image that the operator did not choose, and nobody would see it. The
 * image is used as it is; only a project's system packages are added.
 */
export function overriddenRecipe(overrides: () => readonly ImageOverride[]): typeof findRecipe {
  return (language: Language, version: string, architecture: Architecture): Recipe | undefined => {
    const override = overrides().find((each) => each.language === language && each.version === version);
    if (override === undefined) return findRecipe(language, version, architecture);
    const { reference } = override;
    return {
      language,
      version,
      sources: [{ kind: "oci", why: "the operator's choice", reference, packages: [] }],
    };
  };
}
