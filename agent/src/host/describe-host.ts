/** What the agent says of its machine when it connects. */

import { statfs } from "node:fs/promises";
import type { Hello } from "@tijolo/protocol";
import systeminformation from "systeminformation";
import { readBootId } from "./boot-id.ts";

export interface HostFacts {
  agentId: string;
  dataDirectory: string;
  running: () => Promise<Hello["running"]>;
}

const build = "0.1.0";
const mebibyte = 1024 * 1024;

export async function describeHost(facts: HostFacts): Promise<Pick<Hello, "bootId" | "agentId" | "build" | "resources" | "running">> {
  const [bootId, running, cpu, memory, system, disk] = await Promise.all([
    readBootId(),
    facts.running(),
    systeminformation.cpu(),
    systeminformation.mem(),
    systeminformation.osInfo(),
    statfs(facts.dataDirectory),
  ]);
  return {
    bootId,
    agentId: facts.agentId,
    build,
    running,
    resources: {
      cpuCount: Math.max(1, cpu.cores),
      memoryMb: Math.floor(memory.total / mebibyte),
      diskMb: Math.floor((disk.blocks * disk.bsize) / mebibyte),
      diskFreeMb: Math.floor((disk.bavail * disk.bsize) / mebibyte),
      operatingSystem: `${system.distro} ${system.release}`.slice(0, 200),
      architecture: system.arch.slice(0, 40),
    },
  };
}
