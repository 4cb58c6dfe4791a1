/** Makes one layer of an image in a directory that nobody uses yet. */

import { buildAptLayer } from "./apt-layer.ts";
import { buildBootstrapLayer } from "./bootstrap-layer.ts";
import { buildNpmLayer } from "./npm-layer.ts";
import type { LayerRecipe } from "./recipe.ts";
import type { BuildContext } from "./build-context.ts";

export async function buildLayer(layer: LayerRecipe, context: BuildContext): Promise<void> {
  switch (layer.kind) {
    case "bootstrap":
      return buildBootstrapLayer(layer, context);
    case "apt":
      return buildAptLayer(layer, context);
    case "npm":
      return buildNpmLayer(layer, context);
  }
}
