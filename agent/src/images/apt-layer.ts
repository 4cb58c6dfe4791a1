/** Makes a layer of what `apt-get install` changes in the layers below. */

import { lstat, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exec, ExecError } from "../host/exec.ts";
import { makeOpenDirectory, writeOpenFile } from "../host/files/open-files.ts";
import type { BuildContext } from "./build-context.ts";
import { endWithAgent } from "../host/checks/build-namespaces.ts";
import { containerTrust } from "./container-trust.ts";
import { debianSources, indexAgeOptions, neededPaths, unneededPaths } from "./debian-archive.ts";
import type { AptLayer } from "./recipe.ts";

const buildTimeoutMs = 10 * 60_000;
const rootScript = join(import.meta.dirname, "apt-root.sh");
/** Keyring inside the root that is built, not the host's: the image trusts its own archive. */
const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
const buildEnvironment = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: "/root",
  LC_ALL: "C.UTF-8",
  DEBIAN_FRONTEND: "noninteractive",
  APT_CONFIG: "/run/apt.conf",
};

/** Thrown when the packages could not be installed; the message is apt's own. */
export class AptError extends Error {
  override name = "AptError";
  readonly packages: readonly string[];

  constructor({ packages }: AptLayer, message: string, cause?: unknown) {
    super(message, { cause });
    this.packages = packages;
  }
}

/**
 * Downloads with the host's network and without the packages' scripts, then installs without any network.
 * Throws {@link AptError} when apt refuses, and after ten minutes.
 */
export async function buildAptLayer(layer: AptLayer, context: BuildContext): Promise<void> {
  const { below, directory, progress } = context;
  if (!(await hasApt(below)))
    throw new AptError(layer, "this image has no apt: it is not made of Debian packages");
  const state = await prepareState(layer, context);
  const deadline = AbortSignal.timeout(buildTimeoutMs);
  const run = async (argv: readonly string[], namespaces: readonly string[]) => {
    const signal = AbortSignal.any([context.signal, deadline]);
    // Of each run its own: overlayfs takes none again whose writes were not flushed.
    const work = await mkdtemp(join(context.scratch, "work-"));
    const root = [rootScript, below.join(":"), directory, work, join(context.scratch, "root"), state];
    try {
      await exec([...endWithAgent, ...namespaces, "sh", ...root, ...argv], {
        env: buildEnvironment,
        timeoutMs: buildTimeoutMs,
        signal,
      });
    } catch (error) {
      context.signal.throwIfAborted();
      if (deadline.aborted) throw new AptError(layer, "it took longer than 10 minutes", error);
      throw error instanceof ExecError ? new AptError(layer, reasonOf(error), error) : error;
    }
  };
  const install = [...aptGet(layer), "install", "--no-install-recommends", ...layer.packages];
  progress(`Fetching ${layer.title}`);
  await run([...aptGet(layer), "-o", "APT::Update::Error-Mode=any", "update"], withNetwork);
  await run([...install, "--download-only"], withNetwork);
  progress(`Installing ${layer.title}`);
  await run([...install, "--no-download"], withoutNetwork);
  for (const { path, target } of layer.links) {
    await makeOpenDirectory(join(directory, dirname(path)));
    await symlink(target, join(directory, path));
  }
  if (layer.finish !== undefined) await run(layer.finish, withoutNetwork);
  await removeTraces(directory);
}

const withNetwork = ["unshare", "--ipc", "--uts"];
const withoutNetwork = [...withNetwork, "--net"];

function aptGet({ suites }: AptLayer): string[] {
  const options = [
    ...(suites === null ? [] : ["Dir::Etc::SourceList=/run/sources.list", "Dir::Etc::SourceParts=/dev/null"]),
    "Acquire::Languages=none",
    "Acquire::Retries=3",
    "Acquire::https::CAInfo=/run/authorities.pem",
    "Dpkg::Use-Pty=false",
    "DPkg::Options::=--force-unsafe-io", // a layer is synced as a whole
    "DPkg::Options::=--force-confold",
    ...unneededPaths.map((path) => `DPkg::Options::=--path-exclude=${path}`),
    ...neededPaths.map((path) => `DPkg::Options::=--path-include=${path}`),
  ];
  return ["apt-get", "--quiet", "--yes", ...options.flatMap((option) => ["-o", option])];
}

/** The directories that the root sees as its /run, /var/cache/apt and /var/lib/apt/lists. */
async function prepareState(
  { suites }: AptLayer,
  { debianArchive, debianIndexAgeDays, scratch }: BuildContext,
): Promise<string> {
  const state = join(scratch, "state");
  for (const path of ["root", "state/cache/archives/partial", "state/lists/partial", "state/run"]) {
    await makeOpenDirectory(join(scratch, path));
  }
  const run = join(state, "run");
  if (suites !== null) {
    const archive = await debianArchive();
    const lines = suites.flatMap((suite) => debianSources(suite, archive, `signed-by=${keyring}`));
    await writeOpenFile(join(run, "sources.list"), lines.map((line) => `${line}\n`).join(""));
  }
  const [authorities] = containerTrust().bindReadOnly;
  await writeOpenFile(
    join(run, "authorities.pem"),
    authorities === undefined ? "" : await readFile(authorities.source),
  );
  const aptConf = indexAgeOptions(debianIndexAgeDays).map((option) => `${option};\n`);
  await writeOpenFile(join(run, "apt.conf"), aptConf.join(""));
  await writeOpenFile(join(run, "resolv.conf"), await readFile("/etc/resolv.conf").catch(() => ""));
  // Asked by packages' scripts before they start a service.
  await writeOpenFile(join(run, "policy-rc.d"), "#!/bin/sh\nexit 101\n", 0o755);
  return state;
}

async function hasApt(below: readonly string[]): Promise<boolean> {
  for (const root of below) {
    if (await lstat(join(root, "usr/bin/apt-get")).catch(() => null)) return true;
  }
  return false;
}

/** Returns the errors that apt and dpkg report, without the output that led to them. */
function reasonOf({ message, stderr }: ExecError): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  const errors = lines
    .filter((line) => /^(E:|[\w.-]+: (fatal )?error\b|mount:)/.test(line))
    .map((line) => line.replace(/^E: /, ""));
  return errors.length > 0 ? [...new Set(errors)].join(" ") : message;
}

/** Removes logs, and what is left of an earlier state. */
async function removeTraces(directory: string): Promise<void> {
  const logs = join(directory, "var/log");
  if (await lstat(logs).catch(() => null)) await exec(["find", logs, "-xdev", "-type", "f", "-delete"]);
  const traces = [
    "var/cache/apt",
    "var/cache/ldconfig",
    "var/lib/apt",
    "var/lib/dpkg/lock",
    "var/lib/dpkg/lock-frontend",
    "etc/resolv.conf",
  ];
  const older = [
    "var/lib/dpkg/status-old",
    "var/lib/dpkg/diversions-old",
    "var/cache/debconf/config.dat-old",
    "var/cache/debconf/templates.dat-old",
  ];
  for (const path of [...traces, ...older, "usr/share/man", "usr/sbin/policy-rc.d"])
    await rm(join(directory, path), { recursive: true, force: true });
}
