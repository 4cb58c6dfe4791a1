import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Version } from "@tijolo/protocol";
import { defineCommand, projectOption } from "../../command.ts";
import { CommandFailure, exitCodes, UsageError } from "../../command-failure.ts";
import { connectProject } from "../../project/find-project.ts";
import { getVersion, splitProjectAndVersion } from "../../project/kept-version.ts";
import { openPrivateFile } from "../../private-file.ts";
import { formatBytes } from "../../show/format.ts";

/** `tijolo versions download`: the .zip of a version, as it was uploaded. */
export const versionDownload = defineCommand({
  name: "versions download",
  argument: "version",
  takesMany: true,
  takesProject: true,
  options: {
    project: projectOption,
    output: { type: "string", short: "o", value: "FILE", summary: "output" },
    force: { type: "boolean", summary: "force" },
  },
  examples: [
    "tijolo versions download 3",
    "tijolo versions download meu-bot 3 -o antes.zip",
    "tijolo versions download 3 --force --json",
  ],
  async run(context, input) {
    const { messages, output, signal, workingDirectory } = context;
    const { given, number } = splitProjectAndVersion(input, messages);
    if (number === undefined)
      throw new UsageError(messages.usage.missing(messages.help.placeholders.version));
    const { client, projectId: id } = await connectProject(context, given);
    const { versions } = await client.listVersions({ id }, { signal });
    const version = getVersion(versions, number, messages);
    const file = resolve(workingDirectory, input.options.output ?? `${id}-v${number}.zip`);
    await using target = await openPrivateFile(file, { mayReplace: input.options.force === true });
    if (target === null) throw new CommandFailure(messages.errors.fileExists(file));
    const content = await client.downloadVersion({ id, number }, { signal });
    await pipeline(content, checked(version, messages.errors.downloadDamaged), target.stream());
    await target.keep();
    output.json({ file, sizeBytes: version.sizeBytes, sha256: version.sha256 });
    output.line(messages.project.downloaded(number, file, formatBytes(version.sizeBytes, messages.locale)));
    return exitCodes.ok;
  },
});

/** Passes the content on. Throws CommandFailure at its end when its hash is not that of the upload. */
function checked({ sha256 }: Version, damaged: string) {
  return async function* (content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const hash = createHash("sha256");
    for await (const chunk of content) {
      hash.update(chunk);
      yield chunk;
    }
    if (hash.digest("hex") !== sha256) throw new CommandFailure(damaged);
  };
}
