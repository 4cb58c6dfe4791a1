import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { defineCommand, projectOption } from "../../command.ts";
import { CommandFailure, exitCodes, UsageError } from "../../command-failure.ts";
import type { Messages } from "../../messages.ts";
import { connectProject } from "../../project/find-project.ts";
import { formatBytes } from "../../show/format.ts";
import { readPage } from "./read-page.ts";

/** `tijolo site pages set`: gives a site a page of its own, from a file. */
export const sitePageSet = defineCommand({
  name: "site pages set",
  argument: "page file",
  takesEachWord: true,
  takesProject: true,
  options: { project: projectOption },
  examples: [
    "tijolo site pages set 503 parado.html",
    "tijolo site pages set minha-loja maintenance manutencao.html",
  ],
  async run(context, input) {
    const { output, messages, signal, workingDirectory } = context;
    const { given, status, rest } = readPage(input, messages);
    const [file, extra] = rest;
    if (file === undefined) throw new UsageError(messages.usage.missing(messages.help.placeholders.file));
    if (extra !== undefined) throw new UsageError(messages.usage.tooMany(extra));
    const html = await readHtml(resolve(workingDirectory, file), file, messages);
    const { client, projectId } = await connectProject(context, given);
    const { page } = await client.setSitePage({ id: projectId, status, body: { html } }, { signal });
    output.json({ page });
    output.line(messages.project.sitePageSet(status, formatBytes(page.sizeBytes, messages.locale)));
    return exitCodes.ok;
  },
});

/** Returns the file's text. Throws CommandFailure where it is none in UTF-8: visitors would see other characters. */
async function readHtml(path: string, shown: string, messages: Messages): Promise<string> {
  const { noFile, fileFailed, notUtf8 } = messages.errors;
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw new CommandFailure(cause.code === "ENOENT" ? noFile(shown) : fileFailed(shown, cause.message));
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CommandFailure(notUtf8(shown));
  }
}
