/** Lists types, statuses and error codes of a project, without schemas. */

export const projectTypes = ["bot", "site"] as const;

export const projectStatuses = [
  "creating",
  "installing",
  "running",
  "stopped",
  "restarting",
  "crash_loop",
  "error",
] as const;
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
export type ProjectErrorCode = (typeof projectErrorCodes)[number];
