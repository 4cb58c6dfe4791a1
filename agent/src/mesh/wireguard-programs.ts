/**
 * Finds `wg`, and `wireguard-go` for kernels without WireGuard: the machine's own, otherwise packages of
 * Debian that are fetched once.
 */

import { join } from "node:path";
import { debianTree, treeArgv } from "../host/checks/debian-tree.ts";
import { exec } from "../host/exec.ts";

const packages = ["wireguard-go", "wireguard-tools"];

export interface WireguardPrograms {
  /** Command that stands before the arguments of `wg`. */
  wg: readonly string[];
  /** Returns what to put before the arguments of `wireguard-go`. */
  wireguardGo(): Promise<readonly string[]>;
}

/** `toolsDirectory` holds what was fetched. */
export async function findWireguard(toolsDirectory: string, onFetch: () => void): Promise<WireguardPrograms> {
  const fetched = async (name: string) =>
    treeArgv(await debianTree(toolsDirectory, packages, onFetch), `usr/bin/${name}`);
  return {
    wg: (await runs(["wg", "--version"])) ? ["wg"] : await fetched("wg"),
    wireguardGo: async () =>
      (await runs(["wireguard-go", "--version"])) ? ["wireguard-go"] : fetched("wireguard-go"),
  };
}

export function toolsDirectoryOf(dataDirectory: string): string {
  return join(dataDirectory, "tools");
}

async function runs(argv: readonly string[]): Promise<boolean> {
  return exec(argv).then(
    () => true,
    () => false,
  );
}
