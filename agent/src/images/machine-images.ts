/** Offers the images of a machine to the agent: built, pulled by an operator, or simulated. */

import type { ImageStore, PruneOptions } from "./image-store.ts";
import type { Recipe } from "./recipe.ts";

export interface MachineImages extends Pick<ImageStore, "ensure" | "list"> {
  /** True when other agents use the same images: then nothing is ever removed. */
  isShared: boolean;
  /** Returns the recipe that {@link ImageStore.ensure} follows on this machine. */
  findRecipe(...version: [language: Recipe["language"], version: string]): Recipe | undefined;
  /** Removes unused layers as the image store does; images that an operator pulled stay. */
  prune: (layersInUse: ReadonlySet<string>) => Promise<string[]>;
  /**
   * Removes also what an operator pulled from a registry, unless its layers are all named. `keepMs`: like the
   * image store's.
   */
  pruneAll: (layersInUse: ReadonlySet<string>, options: PruneOptions) => Promise<string[]>;
}
