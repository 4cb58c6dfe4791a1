/** Makes a complete Debian root file system with mmdebstrap. */

import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { exec, hostEnvironment } from "../host/exec.ts";
import { makeOpenDirectory, writeOpenFile } from "../host/files/open-files.ts";
import type { BuildContext } from "./build-context.ts";
import { endWithAgent } from "../host/checks/build-namespaces.ts";
import { debianSources, indexAgeOptions, neededPaths, unneededPaths } from "./debian-archive.ts";
import type { BootstrapLayer } from "./recipe.ts";

const bootstrapTimeoutMs = 15 * 60_000;
const rootScript = join(import.meta.dirname, "bootstrap-root.sh");

export async function buildBootstrapLayer(layer: BootstrapLayer, context: BuildContext): Promise<void> {
  const { directory, scratch, signal, progress } = context;
  const root = join(scratch, "root");
  for (const name of ["empty", "work", "root"]) await makeOpenDirectory(join(scratch, name));
  progress(`Fetching and installing ${layer.title}`);
  const onRoot = ["sh", rootScript, join(scratch, "empty"), directory, join(scratch, "work"), root];
  const sources = debianSources(layer.suite, await context.debianArchive());
  const argv = mmdebstrapArgv(layer, { ...context, directory: root });
  await exec([...endWithAgent, ...onRoot, ...argv, ...sources], {
    // Its own temporary files lie in the build's directory, so that they go away with it.
    env: { ...hostEnvironment, TMPDIR: scratch },
    timeoutMs: bootstrapTimeoutMs,
    signal,
    onLine: (line) => {
      const step = stepOf(line);
      if (step !== null) progress(`${layer.title}: ${step}`);
    },
  });
  await removeUnneeded(directory);
  await removeTracesOfHost(directory);
}

function mmdebstrapArgv(
  { suite, packages }: BootstrapLayer,
  { directory, debianIndexAgeDays }: BuildContext,
): string[] {
  return [
    "mmdebstrap",
    "--mode=root",
    "--format=directory",
    "--variant=minbase",
    `--include=${packages.join(",")}`,
    '--aptopt=Acquire::Languages "none"',
    '--aptopt=Acquire::Retries "3"',
    ...indexAgeOptions(debianIndexAgeDays).map((option) => `--aptopt=${option}`),
    "--dpkgopt=force-unsafe-io",
    // With a space: what is set by "=" mmdebstrap itself heeds as well, by a Python program per package: 28 s
    // of processor time against 17.
    ...unneededPaths.map((path) => `--dpkgopt=path-exclude ${path}`),
    ...neededPaths.map((path) => `--dpkgopt=path-include ${path}`),
    suite,
    directory,
  ];
}

function stepOf(line: string): string | null {
  const text = /^I: (.*?)(\.\.\.)?$/.exec(line)?.[1] ?? "";
  return /^(running|downloading|extracting|installing|cleaning)\b/.test(text) ? text : null;
}

/** Removes what mmdebstrap unpacks before dpkg is there to leave it out, and the links to it. */
async function removeUnneeded(directory: string): Promise<void> {
  const below = (test: string, paths: readonly string[]) => [
    "(",
    ...paths.flatMap((path) => ["-o", test, path]).slice(1),
    ")",
  ];
  const here = (paths: readonly string[]) => paths.map((path) => `.${path}`);
  const kept = ["!", ...below("-path", here(neededPaths))];
  const fileOrEmpty = ["(", "!", "-type", "d", "-o", "-empty", ")"];
  await exec(
    [
      "find",
      "./usr/share",
      "-depth",
      ...below("-path", here(unneededPaths)),
      ...kept,
      ...fileOrEmpty,
      "-delete",
    ],
    {
      cwd: directory,
    },
  );
  await exec(["find", "./etc/alternatives", "-type", "l", ...below("-lname", unneededPaths), "-delete"], {
    cwd: directory,
  });
}

/**
 * Removes what mmdebstrap copies from the host: its resolver and name, where it takes packages from, and
 * device nodes that only a bare chroot needs.
 */
async function removeTracesOfHost(directory: string): Promise<void> {
  await rm(join(directory, "etc/apt/sources.list"), { force: true });
  await writeOpenFile(join(directory, "etc/resolv.conf"), "");
  await writeOpenFile(join(directory, "etc/hostname"), "localhost\n");
  await writeOpenFile(join(directory, "etc/machine-id"), "");
  const devices = join(directory, "dev");
  for (const name of await readdir(devices)) await rm(join(devices, name), { recursive: true });
  await makeOpenDirectory(join(directory, "app"));
}
