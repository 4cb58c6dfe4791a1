import type { HostImages, HostRecipe, ImageList } from "@tijolo/protocol";
import { defineCommand } from "../../../command.ts";
import { exitCodes } from "../../../command-failure.ts";
import { formatBytes, formatTable, formatTime } from "../../../show/format.ts";
import { printable } from "../../../show/printable.ts";
import type { Messages } from "../../../messages.ts";
import { imageName } from "./read-image.ts";

const maxCellLength = 48;

/**
 * `tijolo cluster image list`: what lies on each machine, and where the image of each language version comes
 * from.
 */
export const imageList = defineCommand({
  name: "cluster image list",
  options: {
    host: { type: "string", value: "HOST", summary: "imageHost" },
    sources: { type: "boolean", summary: "imageSources" },
  },
  examples: [
    "tijolo cluster image list",
    "tijolo cluster image list --host host-1 --sources",
    "tijolo cluster image list --json",
  ],
  async run(context, { options }) {
    const { output, messages, signal } = context;
    const { client } = await context.connectOperator();
    const list = await client.listImages({ query: { host: options.host } }, { signal });
    output.json(list);
    if (list.hosts.length === 0) output.line(messages.image.noHosts);
    for (const found of list.hosts) {
      if (!found.isReached) {
        output.error(messages.image.hostLost(printable(found.host.name)));
        continue;
      }
      for (const line of [
        ...describeLayers(found, messages),
        "",
        ...describeRecipes(found, list, messages),
        "",
      ])
        output.line(line);
      if (options.sources === true) for (const line of describeReasons(found.recipes)) output.line(line);
    }
    return list.hosts.every(({ isReached }) => isReached) ? exitCodes.ok : exitCodes.failure;
  },
});

function describeLayers({ host, layers }: HostImages, messages: Messages): string[] {
  const { image, locale } = messages;
  const { fields } = image;
  const sum = layers.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0);
  const rows = layers
    .toSorted((a, b) => a.title.localeCompare(b.title))
    .map((layer) => [
      `  ${printable(shortened(layer.title))}`,
      printable(shortened(`${layer.source}: ${layer.origin}`)),
      formatBytes(layer.sizeBytes, locale),
      formatTime(Date.parse(layer.builtAt), locale),
      `${layer.projects}${layer.isPulled ? ` (${image.pulledMark})` : ""}`,
    ]);
  const head = [`  ${fields.layer}`, fields.origin, fields.size, fields.builtAt, fields.projects];
  const title = image.host(printable(host.name), formatBytes(sum, locale));
  return [title, ...(rows.length === 0 ? [`  ${image.noLayers}`] : formatTable([head, ...rows]))];
}

/** Shortens a text so that a table of layers fits a screen; the JSON has all of it. */
function shortened(text: string): string {
  return text.length <= maxCellLength ? text : `${text.slice(0, maxCellLength - 1)}…`;
}

/**
 * Describes which image the host follows, and an override that central has sent since and the host has not
 * applied.
 */
function describeRecipes({ recipes }: HostImages, { overrides }: ImageList, { image }: Messages): string[] {
  const rows = recipes.map((recipe) => {
    const wanted =
      overrides.find(({ language, version }) => language === recipe.language && version === recipe.version)
        ?.reference ?? null;
    const late = wanted === recipe.override ? [] : [image.notTold(wanted ?? "tijolo")];
    const from =
      recipe.override === null
        ? recipe.sources.map(({ origin }) => origin).join(" → ")
        : image.override(recipe.override);
    return [`  ${imageName(recipe)}`, printable([from, ...late].join("; "))];
  });
  return [image.recipes, ...formatTable(rows)];
}

function describeReasons(recipes: readonly HostRecipe[]): string[] {
  const rows = recipes.flatMap((recipe) =>
    recipe.sources.map(({ origin, why }) => [`  ${imageName(recipe)}`, printable(origin), printable(why)]),
  );
  return [...formatTable(rows), ""];
}
