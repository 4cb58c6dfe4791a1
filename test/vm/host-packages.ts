/** Brings the Debian packages that the virtual machine needs on the host. */

import { access, constants } from "node:fs/promises";
import { exec, hostEnvironment } from "../../agent/src/host/exec.ts";

const packageOfCommand: Record<string, string> = {
  mmdebstrap: "mmdebstrap",
  mke2fs: "e2fsprogs",
  setpriv: "util-linux",
  git: "git",
};

/** Installs what is missing with apt; says so through `say`. */
export async function installHostPackages(say: (line: string) => void): Promise<void> {
  const missing = new Set<string>();
  for (const [command, debianPackage] of Object.entries(packageOfCommand)) {
    if (!(await isInstalled(command))) missing.add(debianPackage);
  }
  if (missing.size === 0) return;
  say(`installing Debian packages: ${[...missing].join(" ")}`);
  const env = { ...hostEnvironment, DEBIAN_FRONTEND: "noninteractive" };
  await exec(["apt-get", "update", "--quiet"], { env, timeoutMs: 300_000 });
  await exec(["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", ...missing], {
    env,
    timeoutMs: 900_000,
  });
}

async function isInstalled(command: string): Promise<boolean> {
  for (const directory of (hostEnvironment.PATH ?? "").split(":")) {
    try {
      await access(`${directory}/${command}`, constants.X_OK);
      return true;
    } catch {
      // Not in this directory.
    }
  }
  return false;
}
