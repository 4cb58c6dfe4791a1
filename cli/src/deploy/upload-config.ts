/** Reads the settings that an upload will have, as far as they are known before it is sent. */

import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import {
  entryOfCommand,
  isBuilt,
  isLanguage,
  configOfChange,
  svcJson,
  type ProjectConfig,
} from "@tijolo/protocol";
import type { UploadFields } from "./upload-folder.ts";

export interface UploadConfig {
  hasSvcJson: boolean;
  /**
   * Settings of svc.json with the command line's over them; those of a wrong svc.json are left to the server.
   */
  config: ProjectConfig;
}

export async function readUploadConfig(folder: string, fields: UploadFields): Promise<UploadConfig> {
  const text = await readFile(join(folder, "svc.json"), "utf8").catch(() => null);
  const { start: _start, ...given } = fields;
  const config: ProjectConfig = { ...(text === null ? {} : parse(text)), ...configOfChange(given) };
  // A start on the command line takes the place of the one in svc.json, as on the server.
  if (given.entry !== undefined && given.command === undefined) delete config.command;
  if (given.command !== undefined && given.entry === undefined) delete config.entry;
  return { hasSvcJson: text !== null, config };
}

function parse(text: string): ProjectConfig {
  try {
    const { $schema: _schema, ...config } = svcJson.parse(JSON.parse(text.replace(/^\uFEFF/, "")));
    return configOfChange(config);
  } catch {
    return {};
  }
}

/** A file or folder that the configuration names, and that has to be in the upload. */
export interface NeededPath {
  setting: "entry" | "root";
  /** Path relative to the folder, without `./` and `/` around it. */
  name: string;
}

/**
 * Returns the file or folder that the project is started or served from; null when the configuration names
 * none, or the whole folder.
 */
export function neededPathOf({ language = "", entry, command, root }: ProjectConfig): NeededPath | null {
  if (!isLanguage(language)) return null;
  if (language === "static") return named("root", root);
  const isOfCommand = (command ?? "").trim() !== "";
  const file = isOfCommand ? entryOfCommand(language, (command ?? "").trim()) : (entry ?? null);
  return file === null || isBuilt(language, file) ? null : named("entry", file);
}

function named(setting: NeededPath["setting"], path: string | undefined): NeededPath | null {
  const name = posix.normalize(path ?? "").replace(/^\.\/|\/$/g, "");
  return name === "" || name === "." || name === "/" || name.startsWith("..") ? null : { setting, name };
}
