/** Defines the options of the installer, and what each of its commands is given and returns. */

import type { parseArgs } from "node:util";
import type { Messages } from "../messages.ts";
import type { Output } from "../show/output.ts";

export const options = {
  lang: { type: "string" },
  purge: { type: "boolean", default: false },
  "with-projects": { type: "boolean", default: false },
  "no-gateway": { type: "boolean", default: false },
  yes: { type: "boolean", short: "y", default: false },
  central: { type: "string" },
  authority: { type: "string" },
  "token-file": { type: "string" },
  packages: { type: "string" },
  network: { type: "string" },
  architecture: { type: "string", default: process.arch },
  mirror: { type: "string" },
  output: { type: "string" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

export type OptionValues = ReturnType<
  typeof parseArgs<{ options: typeof options; allowPositionals: true }>
>["values"];

export interface InstallContext {
  output: Output;
  messages: Messages;
}

/**
 * Runs one command. Resolves with the exit code; null when an option is missing or wrong, upon which the help is
 * shown.
 */
export type InstallCommand = (values: OptionValues, context: InstallContext) => Promise<number | null>;
