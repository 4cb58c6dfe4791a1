/**
 * Names the machine and the network that this program runs in. Two programs with the same name reach the same
 * addresses: a gateway goes straight to the projects of such a host.
 */

import { createHash } from "node:crypto";
import { readFile, readlink } from "node:fs/promises";

/**
 * Returns the name: a hash of the boot's id and the network namespace. It changes with each boot, so it can
 * outlive neither the addresses nor a copied disk. Undefined where the system has no such ids.
 */
export async function readMachineName(): Promise<string | undefined> {
  try {
    const bootId = (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
    const network = await readlink("/proc/self/ns/net");
    return createHash("sha256").update(`${bootId}\n${network}`).digest("base64url");
  } catch {
    return undefined;
  }
}
