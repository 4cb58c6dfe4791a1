/**
 * Codes and parameters of what a host says of a project's start, run and end. The sentences are in
 * `texts/{pt,en}/run.ts`.
 */

import { z } from "zod";
import { languages } from "../nouns/language.ts";
import { count, memoryAmountMb } from "../values/amounts.ts";
import { plainText } from "../values/plain-text.ts";
import { longQuotation } from "./quotation.ts";

/** An exit code as the kernel has it. */
export const exitCode = z
  .int()
  .min(-(2 ** 31))
  .max(2 ** 31 - 1);
export const seconds = z
  .number()
  .min(0)
  .max(2 ** 40);
const port = z.int().min(0).max(65_535);
const site = { port, language: z.enum(languages) };

export const runMessages = {
  start_impossible: {},
  entry_missing: { entry: longQuotation },
  folder_missing: { folder: longQuotation },
  /** The fault is the service's; see `isServiceFault`. */
  disk_damaged: {},
  disk_read_only: {},
  start_command_unknown: {},
  start_command_not_executable: {},
  memory_exceeded: { memoryMb: memoryAmountMb },
  exit_code: { exitCode },
  /** New code could not be installed. */
  earlier_version_stays_up: { version: count },
  /** New code did not come up. */
  earlier_version_is_back: { version: count },
  ended: { exitCode, seconds, comesBack: z.boolean() },
  ended_out_of_memory: { seconds, comesBack: z.boolean() },
  ended_with_host: { comesBack: z.boolean() },
  /** `status` is the last answer for the health path; null when there was none. */
  site_unhealthy: { path: plainText(256), status: z.int().min(0).max(999).nullable() },
  site_on_loopback: site,
  site_without_port: site,
  site_on_other_ports: { ...site, ports: z.array(port).min(1).max(5) },
} satisfies Record<string, z.ZodRawShape>;
