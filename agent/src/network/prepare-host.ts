/**
 * Checks and sets what the machine needs before projects get networks: no clash of subnets, forwarding, and a
 * resolver to ask.
 */

import { readFile, writeFile } from "node:fs/promises";
import type { MachineNews } from "@tijolo/protocol";
import type { Logger } from "pino";
import { findHostResolvers } from "./resolvers.ts";
import { findForeignRoutes } from "./subnet-conflict.ts";

/** Throws when another agent or network of the machine has addresses of the subnet. */
export async function refuseForeignSubnet(
  subnet: string,
  interfacePrefix: string,
  logger: Pick<Logger, "warn">,
): Promise<void> {
  const { inside, around } = await findForeignRoutes(subnet, interfacePrefix);
  if (inside.length > 0) {
    throw new Error(
      `The subnet ${subnet} is in use on this machine (${inside.slice(0, 3).join(", ")}); give this agent another one with TIJOLO_NETWORK_CIDR`,
    );
  }
  if (around.length > 0)
    logger.warn({ subnet, routes: around }, "the projects' subnet lies in a network of this machine");
}

export async function enableForwarding(logger: Pick<Logger, "info">): Promise<void> {
  const file = "/proc/sys/net/ipv4/ip_forward";
  if ((await readFile(file, "utf8")).trim() === "1") return;
  await writeFile(file, "1");
  const news: MachineNews = { code: "forwarding_on" };
  logger.info({ news }, "turned on net.ipv4.ip_forward");
}

/**
 * Returns the addresses of the resolvers that projects are to ask. Problems with them are logged when they
 * differ from `before`.
 */
export async function usableResolvers(
  logger: Pick<Logger, "warn">,
  before: readonly string[] = [],
): Promise<string[]> {
  const { addresses, isFromHost } = await findHostResolvers();
  if (!isFromHost && addresses.join() !== before.join())
    logger.warn(
      { resolvers: addresses },
      "the host names no resolver that projects can reach; they ask public ones",
    );
  return addresses;
}
