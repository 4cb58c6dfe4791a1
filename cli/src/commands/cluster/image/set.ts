import { imageReference } from "@tijolo/protocol";
import { defineCommand } from "../../../command.ts";
import { exitCodes, UsageError } from "../../../command-failure.ts";
import { imageName, readImage } from "./read-image.ts";

/**
 * `tijolo cluster image set`: a language version runs on the operator's image, on every machine, also while
 * central is away.
 */
export const imageSet = defineCommand({
  name: "cluster image set",
  argument: "language version image",
  takesEachWord: true,
  options: {},
  examples: [
    "tijolo cluster image set ruby 4.0 registry.example/ruby:4.0",
    "tijolo cluster image set python 3.12 registry.example:5000/python@sha256:…",
  ],
  async run(context, { words }) {
    const { messages, output, signal } = context;
    const texts = messages.image;
    const image = readImage(words, messages);
    const given = words[2];
    if (given === undefined) throw new UsageError(messages.usage.missing(texts.reference));
    const reference = imageReference.safeParse(given).data;
    if (reference === undefined) throw new UsageError(texts.badReference(given));
    const { client } = await context.connectOperator();
    const change = await client.setImage({ ...image, body: { reference } }, { signal });
    output.json(change);
    output.line(texts.set(imageName(image), reference));
    output.note(texts.exclusive);
    output.note(`  tijolo cluster image pull ${image.language} ${image.version}`);
    output.note(texts.reinstall);
    if (change.hosts.away > 0) output.note(texts.away(change.hosts.away));
    return exitCodes.ok;
  },
});
