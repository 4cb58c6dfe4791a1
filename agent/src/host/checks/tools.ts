/**
 * Finds tools that are newer than Debian 12's: the host's own where they are new enough, otherwise a tree of
 * Debian packages that is fetched once and run through its own dynamic loader. A small directory of them is
 * bound into every container.
 */

import { createHash } from "node:crypto";
import { access, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { endWithAgent } from "./build-namespaces.ts";
import { exec } from "../exec.ts";
import { flushFileSystem } from "../files/flush.ts";
import { makeOpenDirectory, writeOpenFile } from "../files/open-files.ts";
import { isOwnerAlive, ownerMark } from "../files/owner-mark.ts";
import { containerFilter } from "../sandbox/seccomp.ts";
import { removeTree } from "../files/trees.ts";

const suite = "trixie";
/** Oldest util-linux whose setpriv has --seccomp-filter. */
const oldestUtilLinux = [2, 41] as const;
const packages = ["dash", "libc6", "libcap-ng0", "util-linux"];
/** The tree of a host whose own tools are new enough. */
const hostTree = "/";
const treeTools = new Set(["dash", "setpriv"]);
const insideTools = ["dash", "setpriv"];
const insideLibraries = ["libc.so.6", "libcap-ng.so.0"];

const machines: Record<string, { libraries: string; loader: string }> = {
  x64: { libraries: "usr/lib/x86_64-linux-gnu", loader: "ld-linux-x86-64.so.2" },
  arm64: { libraries: "usr/lib/aarch64-linux-gnu", loader: "ld-linux-aarch64.so.1" },
};

export interface ToolsOptions {
  /** Data directory; `<dataDirectory>/tools` is where the tools are stored. */
  dataDirectory: string;
  /** Script that is the first process of every container. */
  initScript: string;
  /** Called with a description of the current step when it takes seconds. */
  onProgress?: (text: string) => void;
}

export class Tools {
  readonly #tree: string;
  /**
   * Directory bound into containers at {@link insidePath}; holds the loader, the tools, the filter and the
   * first process's script.
   */
  readonly insideDirectory: string;

  private constructor(tree: string, insideDirectory: string) {
    this.#tree = tree;
    this.insideDirectory = insideDirectory;
  }

  /**
   * Finds the tools. On a host with older tools: fetches the tree unless it exists (some seconds, from the
   * Debian mirror).
   */
  static async create(options: ToolsOptions): Promise<Tools> {
    const directory = join(options.dataDirectory, "tools");
    await mkdir(directory, { recursive: true });
    await removePartials(directory, options);
    const tree = (await isHostNewEnough())
      ? hostTree
      : join(directory, digest([suite, process.arch, ...packages]));
    if (tree !== hostTree) {
      await once(tree, (target) => {
        options.onProgress?.("Fetching system tools from Debian");
        return fetchTree(target);
      });
    }
    const files = await insideFiles(tree, options.initScript);
    const inside = join(directory, `inside-${digest([...files.values()])}`);
    await once(inside, (target) => fillInside(target, files));
    return new Tools(tree, inside);
  }

  /**
   * Returns what to put before the arguments of the tool `name`: the tree's own where it has it, otherwise
   * the host's.
   */
  argv(name: string): string[] {
    if (this.#tree === hostTree || !treeTools.has(name)) return [name];
    const libraries = join(this.#tree, machine().libraries);
    return [
      join(libraries, machine().loader),
      "--library-path",
      libraries,
      join(this.#tree, "usr/bin", name),
    ];
  }

  /** Like {@link argv}, for a process inside a container that sees {@link insideDirectory} at `path`. */
  insideArgv(name: "dash" | "setpriv", path: string): string[] {
    return [`${path}/loader`, "--library-path", path, `${path}/${name}`];
  }
}

async function fetchTree(target: string): Promise<void> {
  const argv = [
    "mmdebstrap",
    "--quiet",
    "--variant=extract",
    "--format=directory",
    `--include=${packages.join(",")}`,
    suite,
    target,
  ];
  await exec([...endWithAgent, ...argv], { timeoutMs: 300_000 });
  await rm(join(target, "usr/share"), { recursive: true, force: true });
  await rm(join(target, "var"), { recursive: true, force: true });
}

/** Returns the contents of the directory that containers see, by name. */
async function insideFiles(tree: string, initScript: string): Promise<Map<string, Uint8Array>> {
  const { libraries, loader } = machine();
  const sources: [name: string, source: string][] = [
    ["loader", join(tree, libraries, loader)],
    ...insideLibraries.map((name): [string, string] => [name, join(tree, libraries, name)]),
    ...insideTools.map((name): [string, string] => [name, join(tree, "usr/bin", name)]),
    ["init.sh", initScript],
  ];
  const files = new Map<string, Uint8Array>([["filter.bpf", containerFilter(process.arch)]]);
  for (const [name, source] of sources) files.set(name, await readFile(source));
  return files;
}

async function fillInside(target: string, files: Map<string, Uint8Array>): Promise<void> {
  await makeOpenDirectory(target);
  for (const [name, content] of files) await writeOpenFile(join(target, name), content, 0o755);
}

async function isHostNewEnough(): Promise<boolean> {
  const { stdout } = await exec(["setpriv", "--version"]);
  const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout) ?? [];
  return (
    Number(major) > oldestUtilLinux[0] ||
    (Number(major) === oldestUtilLinux[0] && Number(minor) >= oldestUtilLinux[1])
  );
}

/**
 * Makes `directory` under another name first, so that it is complete wherever it exists, also after a power
 * cut.
 */
async function once(directory: string, make: (target: string) => Promise<void>): Promise<void> {
  if (await isThere(directory)) return;
  const partial = `${directory}.${ownerMark(process.pid)}.partial`;
  await make(partial);
  await flushFileSystem(partial);
  try {
    await rename(partial, directory);
  } catch (error) {
    // Another process that shares the place was faster; what it made is the same.
    await removeTree(partial);
    if (!(await isThere(directory))) throw error;
  }
}

/**
 * Removes the partial trees of processes that no longer run; what cannot be removed is reported, and tried
 * again at the next start.
 */
async function removePartials(
  directory: string,
  { onProgress }: Pick<ToolsOptions, "onProgress">,
): Promise<void> {
  for (const name of await readdir(directory)) {
    const [, owner] = /\.(\d+-\d+)\.partial$/.exec(name) ?? [];
    if (owner === undefined || isOwnerAlive(owner)) continue;
    await removeTree(join(directory, name)).catch((error: Error) =>
      onProgress?.(`A leftover could not be removed yet: ${error.message}`),
    );
  }
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function machine(): { libraries: string; loader: string } {
  const found = machines[process.arch];
  if (found === undefined) throw new Error(`machines of type ${process.arch} are not supported`);
  return found;
}

function digest(parts: (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex").slice(0, 16);
}
