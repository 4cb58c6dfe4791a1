/** The project as the API shows it (spec: "Project" and its parts). */

import { z } from "zod";
import { id } from "../values/id.ts";
import { languages } from "./language.ts";
import { systemPackage } from "../project/system-package.ts";

export const projectTypes = ["bot", "site"] as const;
export const projectType = z.enum(projectTypes);

export const projectStatuses = [
  "creating",
  "installing",
  "running",
  "stopped",
  "restarting",
  "crash_loop",
  "error",
] as const;
export const projectStatus = z.enum(projectStatuses);
export type ProjectStatus = (typeof projectStatuses)[number];

export const installErrorCodes = [
  "install_failed",
  "install_timeout",
  "install_out_of_memory",
  "install_interrupted",
  "system_packages_failed",
] as const;
export type InstallErrorCode = (typeof installErrorCodes)[number];

export const projectErrorCodes = [
  ...installErrorCodes,
  "start_failed",
  "process_exited",
  "crash_loop",
] as const;
export const projectErrorCode = z.enum(projectErrorCodes);
export type ProjectErrorCode = (typeof projectErrorCodes)[number];

/** ISO 8601, UTC, milliseconds, `Z`. */
export const timestamp = z.iso.datetime({ precision: 3 });

/** Why the project is not up; `message` in Portuguese. */
export const projectError = z.strictObject({ code: projectErrorCode, message: z.string() });
export type ProjectError = z.infer<typeof projectError>;

/** The last time the process ended. `code` is the exit code, 128 + signal for a death by signal. */
export const lastExit = z.strictObject({ code: z.int(), isOutOfMemory: z.boolean(), exitedAt: timestamp });
export type LastExit = z.infer<typeof lastExit>;

/** What a running project uses now. `cpuPercent`: 100 = one full core. */
export const usage = z.strictObject({
  memoryMb: z.int(),
  cpuPercent: z.number(),
  networkInBps: z.int(),
  networkOutBps: z.int(),
});
export type Usage = z.infer<typeof usage>;

export const project = z.strictObject({
  id,
  name: z.string().max(40),
  description: z.string().max(200),
  type: projectType,
  language: z.enum(languages),
  version: z.string(),
  entry: z.string().nullable(),
  command: z.string(),
  installCommand: z.string().nullable(),
  root: z.string().nullable(),
  systemPackages: z.array(systemPackage),
  memoryMb: z.int(),
  port: z.int().nullable(),
  subdomain: z.string().nullable(),
  url: z.url().nullable(),
  internalHost: z.string().regex(/^svc-[0-9a-z]{8}$/),
  status: projectStatus,
  error: projectError.nullable(),
  hasAutoRestart: z.boolean(),
  consecutiveCrashes: z.int(),
  lastExit: lastExit.nullable(),
  usage: usage.nullable(),
  startedAt: timestamp.nullable(),
  templateId: z.string().nullable(),
  restoredFromBackupId: z.uuid().nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

/** Every field is always present. */
export type Project = z.infer<typeof project>;
