/** Defines what a host answers about images: what it has, the progress of a pull, and what it removed. */

import { z } from "zod";
import { hostLayer, hostRecipe } from "../nouns/cluster/host-images.ts";
import { imageNeed } from "../nouns/cluster/image.ts";
import { count } from "../values/amounts.ts";
import { plainText, shownText } from "../values/plain-text.ts";

const digest = plainText(1_000);
const text = shownText(1_000);

/** Item of the list of what a host has. */
export const imageListItem = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("image-layer"), layer: hostLayer }),
  z.object({ kind: z.literal("image-recipe"), recipe: hostRecipe }),
]);

/** Item of a pull on a host, sent as it happens. */
export const imagePullItem = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("image-progress"), image: imageNeed, text }),
  z.object({
    kind: z.literal("image-pulled"),
    image: imageNeed,
    /** Origins of its layers. */
    origins: z.array(text).max(100),
    sizeBytes: count,
    /** True when something of it was not on the host before. */
    isNew: z.boolean(),
    /** Running projects of this language version that stay on another image until their next start. */
    runningOnOther: count,
  }),
  z.object({ kind: z.literal("image-failed"), image: imageNeed, reason: text }),
]);
export type ImagePullItem = z.infer<typeof imagePullItem>;

/** Item of what a host removed of its images. */
export const imagePruneItem = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("layer-removed"), digest, title: text, sizeBytes: count }),
  /**
   * Reason of a refusal: the host shares its images with other agents of its machine, so none removes any.
   */
  z.object({ kind: z.literal("removal-refused"), reason: z.literal("shared") }),
]);
export type ImagePruneItem = z.infer<typeof imagePruneItem>;
