/** Describes the host's machine for central when the agent connects. */

import { readFile, statfs } from "node:fs/promises";
import { availableParallelism, release, totalmem, type } from "node:os";
import { parseEnv } from "node:util";
import type { Hello } from "@tijolo/protocol";
import { tijoloVersion } from "@tijolo/protocol/kit";

export interface HostFacts {
  dataDirectory: string;
  /** Warning shown before the operating system, where operators read what the host is. */
  warning: string;
}

const build = tijoloVersion();
const mebibyte = 1024 * 1024;

export async function describeHost(facts: HostFacts): Promise<Pick<Hello, "build" | "resources">> {
  const [system, disk] = await Promise.all([operatingSystem(), statfs(facts.dataDirectory)]);
  return {
    build,
    resources: {
      cpuCount: availableParallelism(),
      memoryMb: Math.floor(totalmem() / mebibyte),
      diskMb: Math.floor((disk.blocks * disk.bsize) / mebibyte),
      diskFreeMb: Math.floor((disk.bavail * disk.bsize) / mebibyte),
      operatingSystem: `${facts.warning}${system}`.slice(0, 200),
      architecture: process.arch,
    },
  };
}

/** Returns the distribution's own name for itself (os-release(5)), otherwise the kernel's. */
async function operatingSystem(): Promise<string> {
  const text = await readFile("/etc/os-release", "utf8").catch(() => "");
  const { NAME, VERSION_ID } = parseEnv(text);
  return NAME === undefined ? `${type()} ${release()}` : [NAME, VERSION_ID].filter(Boolean).join(" ");
}
