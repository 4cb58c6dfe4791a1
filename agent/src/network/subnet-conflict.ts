/** Checks whether a subnet is in use on this machine: by another agent, a bridge, or the local network. */

import { exec } from "../host/exec.ts";
import { listInterfaces } from "./namespace.ts";

export interface ForeignRoutes {
  /** Routes into the subnet: its addresses would be in use twice. */
  inside: string[];
  /** Routes of larger networks that contain the subnet: those machines would be unreachable. */
  around: string[];
}

/** Returns the routesthat touch the subnet and lead to other interfaces than those of the prefix. */
export async function findForeignRoutes(cidr: string, interfacePrefix: string): Promise<ForeignRoutes> {
  const [inside, around] = await Promise.all([
    routes("root", cidr, interfacePrefix),
    routes("match", cidr, interfacePrefix),
  ]);
  return { inside, around: around.filter((route) => !inside.includes(route)) };
}

async function routes(selector: "root" | "match", cidr: string, interfacePrefix: string): Promise<string[]> {
  const { stdout } = await exec(["ip", "-4", "-json", "route", "show", selector, cidr]);
  const found = JSON.parse(stdout === "" ? "[]" : stdout) as { dst?: string; dev?: string }[];
  // An interface that goes meanwhile, as a killed agent's may, has no name any more for `ip` to tell.
  const present = new Set(await listInterfaces());
  return found.flatMap(({ dst = "", dev = "" }) =>
    dst === "default" || !present.has(dev) || dev.startsWith(interfacePrefix) ? [] : [`${dst} dev ${dev}`],
  );
}
