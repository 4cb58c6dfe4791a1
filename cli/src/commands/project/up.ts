import { basename, resolve } from "node:path";
import { stat } from "node:fs/promises";
import { ApiError, languages, projectTypes, type Client } from "@tijolo/protocol";
import { selectFiles } from "../../archive/select-files.ts";
import { defineCommand, projectOption, type OptionValues } from "../../command.ts";
import type { CommandContext } from "../../command-context.ts";
import { CommandFailure, UsageError } from "../../command-failure.ts";
import type { Deploy } from "../../deploy/deploy.ts";
import { findLoggedVersion } from "../../deploy/find-logged-version.ts";
import { followDeploy } from "../../deploy/follow-deploy.ts";
import { prepareUpload } from "../../deploy/prepare-upload.ts";
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
  yes: { type: "boolean", short: "y", summary: "yes" },
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
    "tijolo up --yes",
  ],
  async run(context, { argument, options: given }) {
    const { messages, output } = context;
    const fields = readFields(given, messages);
    if (given.new === true && given.project !== undefined) throw new UsageError(messages.errors.newOrProject);
    const folder = resolve(context.workingDirectory, argument ?? ".");
    if ((await stat(folder).catch(() => null))?.isDirectory() !== true)
      throw new CommandFailure(messages.errors.noFolder(folder));
    if ((await selectFiles(folder)).files.length === 0)
      throw new CommandFailure(messages.errors.emptyFolder(folder));

    const connection = await context.connect();
    const { client, url } = connection;
    const named =
      given.project === undefined ? null : await getProjectId(context, connection, { given: given.project });
    const known = given.new === true ? null : (named ?? (await findProjectId(folder, url)));
    const options = {
      client,
      folder,
      fields,
      wantsStart: given.start ?? true,
      isAccepted: given.yes === true,
    };
    const deploy = await send(context, options, known).catch((cause: unknown) => {
      if (known === null || named !== null || !(cause instanceof ApiError) || cause.code !== "not_found")
        throw cause;
      output.note(messages.project.projectWasDeleted(known));
      return send(context, options, null);
    });
    await keepProjectId(folder, url, deploy.uploaded.id);
    return await followDeploy(context, deploy);
  },
});

interface SendOptions {
  client: Client;
  folder: string;
  fields: UploadFields;
  wantsStart: boolean;
  isAccepted: boolean;
}

/** Uploads the folder as a new project, or as new code of one. */
async function send(
  context: CommandContext,
  { client, folder, fields, wantsStart, isAccepted }: SendOptions,
  projectId: string | null,
): Promise<Deploy> {
  const request = { folder, fields, isNew: projectId === null, isAccepted };
  const { files, warnings } = await prepareUpload(context, request);
  const loggedVersion = projectId === null ? 0 : await findLoggedVersion(client, projectId, context.signal);
  const upload = { client, projectId, fields, wantsStart, files, folderName: basename(folder) };
  try {
    const uploaded = await uploadFolder(context, upload);
    return { client, uploaded, loggedVersion, wantsStart, warnings };
  } catch (cause) {
    const isOfSettings = cause instanceof ApiError && cause.extra["requiredScope"] === "projects:settings";
    if (isOfSettings) context.output.note(context.messages.deploy.settingsRefused);
    throw cause;
  }
}

function readFields(given: OptionValues<typeof options>, messages: Messages): UploadFields {
  // Central checks the names: which packages there are depends on the operator.
  const packages = given.packages?.split(",").map((name) => name.trim());
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
    systemPackages: packages?.filter((name) => name !== ""),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
