/**
 * Host tools of a known version, the same on every host: a tree of Debian packages that is fetched once and run through its own
 * dynamic loader, and a small directory of them that is bound into every container.
 */

import { createHash } from "node:crypto";
import { access, chmod, copyFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "./exec.ts";
import { containerFilter } from "./seccomp.ts";

const suite = "trixie";
/** mount with X-mount.idmap, setpriv with --seccomp-filter: util-linux 2.41. */
const packages = ["dash", "libblkid1", "libc6", "libcap-ng0", "libmount1", "libpcre2-8-0", "libselinux1", "mount", "util-linux"];
const treeTools = new Set(["dash", "mount", "setpriv"]);
const insideTools = ["dash", "setpriv"];
const insideLibraries = ["libc.so.6", "libcap-ng.so.0"];

const machines: Record<string, { libraries: string; loader: string }> = {
  x64: { libraries: "usr/lib/x86_64-linux-gnu", loader: "ld-linux-x86-64.so.2" },
  arm64: { libraries: "usr/lib/aarch64-linux-gnu", loader: "ld-linux-aarch64.so.1" },
};

export interface ToolsOptions {
  /** `<dataDirectory>/tools` is where they are kept. */
  dataDirectory: string;
  /** Script that is the first process of every container. */
  initScript: string;
  /** Called with what is being done, where that takes seconds. */
  onProgress?: (text: string) => void;
}

export class Tools {
  readonly #tree: string;
  readonly #libraries: string;
  readonly #loader: string;
  /** Bound into containers at {@link insidePath}; holds the loader, the tools, the filter and the first process's script. */
  readonly insideDirectory: string;

  private constructor(tree: string, insideDirectory: string) {
    const { libraries, loader } = machine();
    this.#tree = tree;
    this.#libraries = join(tree, libraries);
    this.#loader = join(tree, libraries, loader);
    this.insideDirectory = insideDirectory;
  }

  /** Fetches the tree unless it is there (some seconds, from the Debian mirror). */
  static async create(options: ToolsOptions): Promise<Tools> {
    const directory = join(options.dataDirectory, "tools");
    await mkdir(directory, { recursive: true });
    const tree = join(directory, digest([suite, process.arch, ...packages]));
    await once(tree, (target) => {
      options.onProgress?.("Fetching system tools from Debian");
      return fetchTree(target);
    });
    const script = await readFile(options.initScript);
    const filter = containerFilter(process.arch);
    const inside = join(directory, `inside-${digest([tree, script, filter])}`);
    await once(inside, (target) => fillInside({ target, tree, script, filter }));
    return new Tools(tree, inside);
  }

  /** What to put before the arguments of the tool `name`: the tree's own where it has it, otherwise the host's. */
  argv(name: string): string[] {
    if (!treeTools.has(name)) return [name];
    return [this.#loader, "--library-path", this.#libraries, join(this.#tree, "usr/bin", name)];
  }

  /** As {@link argv}, for a process inside a container that sees {@link insideDirectory} at `path`. */
  insideArgv(name: "dash" | "setpriv", path: string): string[] {
    return [`${path}/loader`, "--library-path", path, `${path}/${name}`];
  }
}

async function fetchTree(target: string): Promise<void> {
  const argv = ["mmdebstrap", "--quiet", "--variant=extract", "--format=directory", `--include=${packages.join(",")}`, suite, target];
  await exec(argv, { timeoutMs: 300_000 });
  await rm(join(target, "usr/share"), { recursive: true, force: true });
  await rm(join(target, "var"), { recursive: true, force: true });
}

async function fillInside(from: { target: string; tree: string; script: Uint8Array; filter: Uint8Array }): Promise<void> {
  const { libraries, loader } = machine();
  const copy = async (source: string, name: string) => {
    await copyFile(join(from.tree, source), join(from.target, name));
    await chmod(join(from.target, name), 0o755);
  };
  await mkdir(from.target);
  await chmod(from.target, 0o755);
  await copy(join(libraries, loader), "loader");
  for (const library of insideLibraries) await copy(join(libraries, library), library);
  for (const tool of insideTools) await copy(join("usr/bin", tool), tool);
  await writeFile(join(from.target, "init.sh"), from.script, { mode: 0o644 });
  await writeFile(join(from.target, "filter.bpf"), from.filter, { mode: 0o644 });
}

/** Makes `directory` under another name first, so that it is complete wherever it exists. */
async function once(directory: string, make: (target: string) => Promise<void>): Promise<void> {
  if (await isThere(directory)) return;
  const partial = `${directory}.partial`;
  await rm(partial, { recursive: true, force: true });
  await make(partial);
  await rename(partial, directory);
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
