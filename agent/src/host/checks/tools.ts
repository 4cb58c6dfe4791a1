/**
 * Finds tools that are newer than Debian 12's: the host's own where they are new enough, otherwise a tree of
 * Debian packages that is fetched once and run through its own dynamic loader. A small directory of them is
 * bound into every container.
 */

import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../exec.ts";
import { makeOpenDirectory, writeOpenFile } from "../files/open-files.ts";
import { containerFilter } from "../sandbox/seccomp.ts";
import { debianTree, digest, machine, once, removePartials, treeArgv } from "./debian-tree.ts";

/** Oldest util-linux whose setpriv has --seccomp-filter. */
const oldestUtilLinux = [2, 41] as const;
const packages = ["dash", "libc6", "libcap-ng0", "util-linux"];
/** The tree of a host whose own tools are new enough. */
const hostTree = "/";
const treeTools = new Set(["dash", "setpriv"]);
const insideTools = ["dash", "setpriv"];
const insideLibraries = ["libc.so.6", "libcap-ng.so.0"];

export interface ToolsOptions {
  /** Data directory; `<dataDirectory>/tools` is where the tools are stored. */
  dataDirectory: string;
  /** Script that is the first process of every container. */
  initScript: string;
  /** Called when tools are fetched, which takes seconds. */
  onFetch?: () => void;
  /** Called with what could not be removed of an earlier fetch. */
  onLeftover?: (text: string) => void;
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
    await removePartials(directory, (text) => options.onLeftover?.(text));
    const onFetch = () => options.onFetch?.();
    const tree = (await isHostNewEnough()) ? hostTree : await debianTree(directory, packages, onFetch);
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
    return this.#tree === hostTree || !treeTools.has(name) ? [name] : treeArgv(this.#tree, `usr/bin/${name}`);
  }

  /** Like {@link argv}, for a process inside a container that sees {@link insideDirectory} at `path`. */
  insideArgv(name: "dash" | "setpriv", path: string): string[] {
    return [`${path}/loader`, "--library-path", path, `${path}/${name}`];
  }
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
