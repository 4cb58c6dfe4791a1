/** Builds the command line of systemd-nspawn for one container, and its environment. */

import type { Tools } from "../../host/checks/tools.ts";
import { hostEnvironment } from "../../host/exec.ts";

/** Ids of one project's range. */
export const uidCount = 65_536;

const toolsPath = "/run/tijolo/tools";
const runPath = "/run/tijolo/run";

/**
 * nspawn's own filter is off because the container's first process loads a complete one
 * (`host/sandbox/seccomp.ts`) and does not go on without it. v1 hierarchies stay hidden. Informational
 * messages would be noise in the launcher's log.
 */
export const nspawnEnvironment: Record<string, string> = {
  ...hostEnvironment,
  SYSTEMD_SECCOMP: "0",
  SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: "1",
  SYSTEMD_LOG_LEVEL: "err",
};

/**
 * Limits on what the kernel counts for the host's root, for all containers together; each container has a
 * share. In bytes, except the number of signals.
 */
const sharedBudgets = [
  ["RLIMIT_MEMLOCK", 1 << 20],
  ["RLIMIT_MSGQUEUE", 102_400],
  ["RLIMIT_SIGPENDING", 1024],
] as const;

export interface NspawnOptions {
  root: string;
  inside: string;
  home: string;
  uidBase: number;
  hostname: string;
  bindReadOnly: readonly { source: string; target: string }[];
  tools: Tools;
}

export function nspawnArgv(options: NspawnOptions): string[] {
  return [
    "systemd-nspawn",
    "--quiet",
    "--register=no",
    "--keep-unit",
    "--settings=no",
    "--link-journal=no",
    "--timezone=off",
    "--resolv-conf=off",
    "--console=pipe",
    "--machine=project",
    `--directory=${options.root}`,
    `--private-users=${options.uidBase}:${uidCount}`,
    "--private-users-ownership=off",
    "--no-new-privileges=yes",
    "--drop-capability=all",
    "--rlimit=RLIMIT_NOFILE=65536",
    "--rlimit=RLIMIT_CORE=0",
    ...sharedBudgets.map(([name, value]) => `--rlimit=${name}=${value}`),
    "--tmpfs=/tmp:mode=1777,size=64m,nr_inodes=65536,nosuid,nodev",
    `--bind=${bindPath(options.home)}:/home/project`,
    `--bind-ro=${bindPath(options.tools.insideDirectory)}:${toolsPath}`,
    `--bind-ro=${bindPath(options.inside)}:${runPath}`,
    ...options.bindReadOnly.map(({ source, target }) => `--bind-ro=${bindPath(source)}:${bindPath(target)}`),
    `--hostname=${options.hostname}`,
    "--kill-signal=SIGTERM",
    "--",
    ...options.tools.insideArgv("setpriv", toolsPath),
    "--seccomp-filter",
    `${toolsPath}/filter.bpf`,
    ...options.tools.insideArgv("dash", toolsPath),
    `${toolsPath}/init.sh`,
  ];
}

/** Escapes colons, which separate the parts of a bind. */
function bindPath(path: string): string {
  return path.replace(/[\\:]/g, "\\$&");
}
