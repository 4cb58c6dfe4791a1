/** Chooses the files of a folder that are sent, and checks that the project can be started from them. */

import { readFile } from "node:fs/promises";
import { neededPathOf, type NeededPath } from "@tijolo/protocol/proposal";
import { selectFiles, type SelectedFile, type Selection } from "../archive/select-files.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandFailure } from "../command-failure.ts";
import { offerConfig } from "../propose/offer-config.ts";
import { readUploadConfig, type UploadConfig } from "./upload-config.ts";
import type { UploadFields } from "./upload-folder.ts";
import { readStart, warningsOf } from "./upload-warnings.ts";

export interface UploadRequest {
  folder: string;
  fields: UploadFields;
  /** True for a new project, which needs a configuration. */
  isNew: boolean;
  /** True to take a proposed svc.json without asking. */
  isAccepted: boolean;
}

export interface PreparedUpload {
  files: readonly SelectedFile[];
  /** Warnings that were shown. */
  warnings: readonly string[];
}

/** Prepares the upload and shows its warnings. Throws CommandFailure for one that could not run. */
export async function prepareUpload(
  context: CommandContext,
  { folder, fields, isNew, isAccepted }: UploadRequest,
): Promise<PreparedUpload> {
  const { messages, output } = context;
  const isUnknown = isNew && fields.language === undefined;
  if (isUnknown && !(await readUploadConfig(folder, fields)).hasSvcJson) {
    const { files } = await selectFiles(folder);
    if (files.length === 0) throw new CommandFailure(messages.errors.emptyFolder(folder));
    await offerConfig(context, { folder, files, isAccepted });
  }
  const uploadConfig = await readUploadConfig(folder, fields);
  const needed = neededPathOf(uploadConfig.config);
  const selection = await selectFiles(folder, ["svc.json", ...(needed === null ? [] : [needed.name])]);
  if (selection.files.length === 0) throw new CommandFailure(messages.errors.emptyFolder(folder));
  const warnings = await warningsOf({ selection, needed, readStart }, messages);
  for (const warning of warnings) output.note(output.noteStyle("yellow", warning));
  if (needed !== null && !isInUpload(selection, needed) && !(await isBuiltThere(selection, uploadConfig)))
    throw new CommandFailure(messages.deploy.lacks(needed.name, needed.setting), {
      code: `no_${needed.setting}`,
    });
  return { files: selection.files, warnings };
}

function isInUpload({ files }: Selection, { setting, name }: NeededPath): boolean {
  return files.some((file) => file.name === name || (setting === "root" && file.name.startsWith(`${name}/`)));
}

/** True when the install may make what is missing: then only the server can tell. */
async function isBuiltThere({ files }: Selection, { config }: UploadConfig): Promise<boolean> {
  if (typeof config.installCommand === "string") return config.installCommand.trim() !== "";
  const manifest = files.find(({ name }) => name === "package.json");
  if (manifest === undefined) return false;
  const text = await readFile(manifest.path, "utf8").catch(() => "");
  return /"(?:build|(?:pre|post)?install|(?:pre|post)?prepare)"\s*:/.test(text);
}
