import { basename, resolve } from "node:path";
import { stat } from "node:fs/promises";
import { ApiError, languages, projectTypes, systemPackages } from "@tijolo/protocol";
import { selectFiles } from "../../archive/select-files.ts";
import { defineCommand, projectOption, type OptionValues } from "../../command.ts";
import { CommandFailure, UsageError } from "../../command-failure.ts";
import { findDatabases } from "../../deploy/find-databases.ts";
import { findLoggedVersion } from "../../deploy/find-logged-version.ts";
import { followDeploy } from "../../deploy/follow-deploy.ts";
import { uploadFolder, type UploadFields } from "../../deploy/upload-folder.ts";
import { getProjectId } from "../../project/find-project.ts";
import type { Messages } from "../../messages.ts";
import { readChoice, readInteger } from "../../command-line/parse-arguments.ts";
import { findProjectId, keepProjectId } from "../../project/project-folder.ts";

const options = {
  name: { type: "string", value: "NAME", summary: "name" },
  description: { type: "string", value: "TEXT", summary: "description" },
  type: { type: "string", value: "bot|site", summary: "type" },
  language: { type: "string", value: "LANGUAGE", summary: "language" },
  version: { type: "string", value: "VERSION", summary: "version" },
  entry: { type: "string", value: "FILE", summary: "entry" },
  command: { type: "string", value: "COMMAND", summary: "command" },
  install: { type: "string", value: "COMMAND", summary: "install" },
  root: { type: "string", value: "FOLDER", summary: "root" },
  memory: { type: "string", value: "MB", summary: "memory" },
  subdomain: { type: "string", value: "NAME", summary: "subdomain" },
  port: { type: "string", value: "PORT", summary: "port" },
  packages: { type: "string", value: "LIST", summary: "packages" },
  project: projectOption,
  start: { type: "boolean", summary: "start" },
  new: { type: "boolean", summary: "new" },
} as const;

/** `tijolo up`: uploads a folder and ends when the project runs, or with the reason why it does not. */
export const projectUp = defineCommand({
  name: "up",
  argument: "folder",
  options,
  examples: [
    "tijolo up",
    "tijolo up ./meu-bot",
    "tijolo up --language node --command 'npm start' --memory 512",
    "tijolo up ./site --type site --subdomain minha-loja --port 3000",
    "tijolo up -p meu-bot",
    "tijolo up --no-start --json",
  ],
  async run(context, { argument, options: given }) {
    const { messages, output } = context;
    const fields = readFields(given, messages);
    if (given.new === true && given.project !== undefined) throw new UsageError(messages.errors.newOrProject);
    const folder = resolve(context.workingDirectory, argument ?? ".");
    if ((await stat(folder).catch(() => null))?.isDirectory() !== true)
      throw new CommandFailure(messages.errors.noFolder(folder));
    const selection = await selectFiles(folder);
    for (const name of selection.leftOut)
      output.note(output.noteStyle("yellow", messages.project.leftOut(name)));
    if (selection.files.some(({ name }) => name === ".env"))
      output.note(output.noteStyle("yellow", messages.project.sendsDotenv));
    const databases = await findDatabases(selection.files);
    if (databases.length > 0)
      output.note(output.noteStyle("yellow", messages.project.sendsDatabases(databases.join(", "))));
    if (selection.files.length === 0) throw new CommandFailure(messages.errors.emptyFolder(folder));

    const connection = await context.connect();
    const { client, url } = connection;
    const wantsStart = given.start ?? true;
    const named =
      given.project === undefined ? null : await getProjectId(context, connection, { given: given.project });
    const known = given.new === true ? null : (named ?? (await findProjectId(folder, url)));
    const upload = async (projectId: string | null) => {
      const loggedVersion =
        projectId === null ? 0 : await findLoggedVersion(client, projectId, context.signal);
      const sent = {
        client,
        projectId,
        fields,
        wantsStart,
        files: selection.files,
        folderName: basename(folder),
      };
      return { uploaded: await uploadFolder(context, sent), loggedVersion };
    };
    const { uploaded, loggedVersion } = await upload(known).catch((cause: unknown) => {
      if (known === null || named !== null || !(cause instanceof ApiError) || cause.code !== "not_found")
        throw cause;
      output.note(messages.project.projectWasDeleted(known));
      return upload(null);
    });
    await keepProjectId(folder, url, uploaded.id);
    return await followDeploy(context, { client, uploaded, loggedVersion, wantsStart, databases });
  },
});

function readFields(given: OptionValues<typeof options>, messages: Messages): UploadFields {
  const packages = given.packages
    ?.split(",")
    .map((name) => readChoice(name.trim(), "--packages", systemPackages, messages));
  const fields = {
    name: given.name,
    description: given.description,
    type: readChoice(given.type, "--type", projectTypes, messages),
    language: readChoice(given.language, "--language", languages, messages),
    version: given.version,
    entry: given.entry,
    command: given.command,
    installCommand: given.install,
    root: given.root,
    memoryMb: readInteger(given.memory, "--memory", { min: 1, max: 1_048_576 }, messages),
    subdomain: given.subdomain,
    port: readInteger(given.port, "--port", { min: 1, max: 65_535 }, messages),
    systemPackages: packages?.filter((name) => name !== undefined),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
