/** Reads the settings that an upload will have, as far as they are known before it is sent. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { configOfChange, svcJson, type ProjectConfig } from "@tijolo/protocol";
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
