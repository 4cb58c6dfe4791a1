import { defineCommand } from "../../../command.ts";
import { exitCodes } from "../../../command-failure.ts";
import { imageName, readImage } from "./read-image.ts";

/** `tijolo cluster image unset`: back to the recipe's own sources. */
export const imageUnset = defineCommand({
  name: "cluster image unset",
  argument: "language version",
  takesEachWord: true,
  options: {},
  examples: ["tijolo cluster image unset ruby 4.0"],
  async run(context, { words }) {
    const { messages, output, signal } = context;
    const texts = messages.image;
    const image = readImage(words, messages);
    const { client } = await context.connectOperator();
    const change = await client.unsetImage(image, { signal });
    output.json(change);
    output.line(change.before === null ? texts.wasUnset(imageName(image)) : texts.unset(imageName(image)));
    if (change.before !== null && change.hosts.away > 0) output.note(texts.away(change.hosts.away));
    return exitCodes.ok;
  },
});
