/** The images of a machine as the agent works with them: built, pulled by an operator, or simulated. */

import type { ImageStore, PruneOptions } from "./image-store.ts";
import type { Recipe } from "./recipe.ts";

export interface MachineImages extends Pick<ImageStore, "ensure" | "list"> {
  /** Other agents use the same images: nothing is ever removed. */
  isShared: boolean;
  /** The one that {@link ImageStore.ensure} follows on this machine. */
  findRecipe(...version: [language: Recipe["language"], version: string]): Recipe | undefined;
  /** As the image store does; images that an operator pulled stay. */
  prune: (layersInUse: ReadonlySet<string>) => Promise<string[]>;
  /**
   * Also what an operator pulled from a registry, unless its layers are all named. `keepMs`: as the image
   * store's.
   */
  pruneAll: (layersInUse: ReadonlySet<string>, options: PruneOptions) => Promise<string[]>;
}
