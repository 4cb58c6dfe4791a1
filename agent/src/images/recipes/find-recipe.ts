/** Finds the recipe of each language version of the specification. */

import type { Language } from "@tijolo/protocol";
import type { Architecture, ImageSource, Recipe } from "../recipe.ts";
import { dotnetSources } from "./dotnet.ts";
import { elixirSources } from "./elixir.ts";
import { goSources } from "./go.ts";
import { javaSources } from "./java.ts";
import { nodeSources } from "./node.ts";
import { phpSources } from "./php.ts";
import { pythonSources } from "./python.ts";
import { rubySources } from "./ruby.ts";

/**
 * Returns the recipe of a language version; undefined when there is none. `static` needs no container: it has
 * no sources.
 */
export function findRecipe(
  language: Language,
  version: string,
  architecture: Architecture,
): Recipe | undefined {
  const sources = sourcesOf(language, version, architecture);
  return sources === undefined ? undefined : { language, version, sources };
}

function sourcesOf(
  language: Language,
  version: string,
  architecture: Architecture,
): readonly ImageSource[] | undefined {
  switch (language) {
    case "node":
      return nodeSources(version, architecture);
    case "python":
      return pythonSources[version];
    case "java":
      return javaSources[version];
    case "go":
      return goSources[version];
    case "php":
      return phpSources[version];
    case "ruby":
      return rubySources[version];
    case "dotnet":
      return dotnetSources[version];
    case "elixir":
      return elixirSources[version];
    case "static":
      return [];
  }
}
