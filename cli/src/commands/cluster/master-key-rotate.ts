import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { showMasterKeys } from "../../show/show-master-keys.ts";

/**
 * `tijolo cluster master-key rotate`: central's own key is made anew; of keys that come from outside the
 * first becomes the one in use.
 */
export const masterKeyRotate = defineCommand({
  name: "cluster master-key rotate",
  options: {},
  examples: ["tijolo cluster master-key rotate", "tijolo cluster master-key rotate --json"],
  async run(context) {
    const { output, signal } = context;
    const texts = context.messages.masterKey;
    const { client } = await context.connectOperator();
    const rotated = await client.rotateMasterKey({}, { signal });
    output.json(rotated);
    output.line(texts.rotated(rotated.currentKeyId ?? "-", rotated.resealed));
    if (rotated.unreadable > 0) output.note(texts.unreadable(rotated.unreadable));
    if (rotated.removable.length > 0) output.line(texts.removable(rotated.removable.join(" ")));
    if (rotated.source !== "own" && rotated.keys.length === 1) output.note(texts.addFirst);
    showMasterKeys(context, rotated);
    return exitCodes.ok;
  },
});
