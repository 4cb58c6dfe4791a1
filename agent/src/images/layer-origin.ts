/** Describes for operators where images and layers come from. */

import type { HostRecipe } from "@tijolo/protocol";
import { z } from "zod";
import type { ImageSource, LayerRecipe } from "./recipe.ts";

export interface LayerOrigin {
  source: "debian" | "npm" | "oci";
  origin: string;
}

/**
 * Returns the origin of a stored layer from its manifest, which an earlier version of this program may have
 * written.
 */
export function originOfLayer({ title, recipe }: { title: string; recipe: unknown }): LayerOrigin {
  const { data } = storedRecipe.safeParse(recipe);
  switch (data?.kind) {
    case "bootstrap":
      return { source: "debian", origin: `Debian ${data.suite}` };
    case "apt":
      return {
        source: "debian",
        origin: data.suites === null ? "the image's own sources" : `Debian ${data.suites.join(", ")}`,
      };
    case "npm":
      return {
        source: "npm",
        origin: data.packages.map(({ name, version }) => `${name}@${version}`).join(", "),
      };
    case "oci":
    case undefined:
      return { source: "oci", origin: title.replace(/^Layer of /, "") };
  }
}

/** Returns the origin of an image's source. */
export function originOfSource(source: ImageSource): HostRecipe["sources"][number] {
  const { kind, why } = source;
  if (kind === "oci") return { source: "oci", origin: source.reference, why };
  return { source: "debian", origin: [...new Set(source.layers.flatMap(placesOf))].join(", "), why };
}

function placesOf(layer: LayerRecipe): string[] {
  switch (layer.kind) {
    case "bootstrap":
      return [`Debian ${layer.suite}`];
    case "apt":
      return (layer.suites ?? []).map((suite) => `Debian ${suite}`);
    case "npm":
      return ["npm"];
  }
}

const storedRecipe = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("bootstrap"), suite: z.string() }),
  z.object({ kind: z.literal("apt"), suites: z.array(z.string()).nullable() }),
  z.object({
    kind: z.literal("npm"),
    packages: z.array(z.object({ name: z.string(), version: z.string() })),
  }),
  z.object({ kind: z.literal("oci") }),
]);
