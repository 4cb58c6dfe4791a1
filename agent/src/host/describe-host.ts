/** What the agent says of its machine when it connects. */

import { readFile, statfs } from "node:fs/promises";
import { availableParallelism, release, totalmem, type } from "node:os";
import { parseEnv } from "node:util";
import type { Hello } from "@tijolo/protocol";
import { readBootId } from "./boot-id.ts";

export interface HostFacts {
  agentId: string;
  dataDirectory: string;
  /** Before the operating system, where operators see what the host is. */
  warning: string;
  running: () => Promise<Hello["running"]>;
}

const build = "0.1.0";
const mebibyte = 1024 * 1024;

export async function describeHost(facts: HostFacts): Promise<Pick<Hello, "bootId" | "agentId" | "build" | "resources" | "running">> {
  const [bootId, running, system, disk] = await Promise.all([
    readBootId(),
    facts.running(),
    operatingSystem(),
    statfs(facts.dataDirectory),
  ]);
  return {
    bootId,
    agentId: facts.agentId,
    build,
    running,
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

/** As the distribution calls itself (os-release(5)), else the kernel. */
async function operatingSystem(): Promise<string> {
  const text = await readFile("/etc/os-release", "utf8").catch(() => "");
  const { NAME, VERSION_ID } = parseEnv(text);
  return NAME === undefined ? `${type()} ${release()}` : [NAME, VERSION_ID].filter(Boolean).join(" ");
}
