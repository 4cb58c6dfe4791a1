/** Makes a complete Debian root file system with mmdebstrap. */

import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exec, hostEnvironment } from "../host/exec.ts";
import type { BuildContext } from "./build-context.ts";
import type { BootstrapLayer } from "./recipe.ts";

export const defaultDebianMirror = "http://deb.debian.org/";

const bootstrapTimeoutMs = 15 * 60_000;
const unneededPaths = ["/usr/share/doc/*", "/usr/share/info/*", "/usr/share/locale/*", "/usr/share/man/*"];
const neededPaths = ["/usr/share/doc/*/copyright"];

export async function buildBootstrapLayer(layer: BootstrapLayer, context: BuildContext): Promise<void> {
  const { directory, scratch, signal, progress } = context;
  const log: string[] = [];
  progress(`Fetching and installing ${layer.title}`);
  await exec([...endWithAgent, ...mmdebstrapArgv(layer, directory, context.debianMirror)], {
    // Its own temporary files lie in the build's directory, so that they go away with it.
    env: { ...hostEnvironment, TMPDIR: scratch },
    timeoutMs: bootstrapTimeoutMs,
    signal,
    onLine: (line) => {
      log.push(line);
      const step = stepOf(line);
      if (step !== null) progress(`${layer.title}: ${step}`);
    },
  });
  await removeTracesOfHost(directory);
}

/**
 * Puts a command into namespaces of its own that die with the agent, so that a killed build neither keeps writing
 * nor leaves a mount behind.
 */
const endWithAgent = ["setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--fork", "--kill-child=KILL", "--mount-proc"];

function mmdebstrapArgv(layer: BootstrapLayer, directory: string, mirror: string): string[] {
  const { suite } = layer;
  return [
    "mmdebstrap",
    "--mode=root",
    "--format=directory",
    "--variant=minbase",
    `--include=${layer.packages.join(",")}`,
    '--aptopt=Acquire::Languages "none"',
    '--aptopt=Acquire::Retries "3"',
    ...unneededPaths.map((path) => `--dpkgopt=path-exclude=${path}`),
    ...neededPaths.map((path) => `--dpkgopt=path-include=${path}`),
    suite,
    directory,
    `deb ${new URL("debian", mirror)} ${suite} main`,
    `deb ${new URL("debian", mirror)} ${suite}-updates main`,
    `deb ${new URL("debian-security", mirror)} ${suite}-security main`,
  ];
}

function stepOf(line: string): string | null {
  const text = /^I: (.*?)(\.\.\.)?$/.exec(line)?.[1] ?? "";
  return /^(running|downloading|extracting|installing|cleaning)\b/.test(text) ? text : null;
}

/** mmdebstrap copies the host's resolver and name, and makes device nodes that only a bare chroot needs. */
async function removeTracesOfHost(directory: string): Promise<void> {
  await writeFile(join(directory, "etc/resolv.conf"), "");
  await writeFile(join(directory, "etc/hostname"), "localhost\n");
  await writeFile(join(directory, "etc/machine-id"), "");
  const devices = join(directory, "dev");
  for (const name of await readdir(devices)) await rm(join(devices, name), { recursive: true });
  await mkdir(join(directory, "app"), { mode: 0o755 });
}
