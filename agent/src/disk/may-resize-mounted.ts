/** Tells whether this process may resize a file system that is mounted. */

import { readFile } from "node:fs/promises";

const CAP_SYS_RESOURCE = 24n;

export async function mayResizeMounted(): Promise<boolean> {
  const status = await readFile("/proc/self/status", "utf8");
  const effective = /^CapEff:\s+([0-9a-f]+)$/m.exec(status)?.[1] ?? "0";
  return (BigInt(`0x${effective}`) & (1n << CAP_SYS_RESOURCE)) !== 0n;
}
