/** Unpacks a set of Debian packages on the machine that they are for, and installs from it without network. */

import { cp, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { packageSetLink, packageSets, toolsArchive, toolsSuite, type PackageSet } from "@tijolo/protocol";
import type { Messages } from "../../messages.ts";
import { apt, aptInstall } from "./apt-install.ts";
import { aptOptions } from "./apt-options.ts";
import { replaceDirectory } from "../file-steps.ts";
import { agentFiles, centralFiles } from "../places.ts";
import { runProgram, succeeds } from "../run-program.ts";
import type { Undo } from "../steps.ts";

const updateTimeoutMs = 15 * 60_000;
/** Large, and the same across a reboot; /tmp is in memory on Debian 13. */
const scratchPrefix = "/var/tmp/tijolo-packages-";

/** Returns central's own set for this machine, on the machine of central; null where it has none. */
export async function findOwnPackages(): Promise<string | null> {
  const suite = await ownSuite();
  const set = packageSets.find((each) => each.suite === suite && each.architecture === process.arch);
  if (set === undefined) return null;
  const file = join(centralFiles.packages, packageSetLink(set));
  return (await stat(file).catch(() => null)) === null ? null : file;
}

/** Takes one package out of central's own set. Resolves with the path of its file; null where none has it. */
export async function unpackOwnPackage(name: string, directory: string): Promise<string | null> {
  const [file, suite] = [await findOwnPackages(), await ownSuite()];
  if (file === null || suite === null) return null;
  const member = `${suite}/${name}_all.deb`;
  return (await succeeds(["tar", "-xzf", file, "-C", directory, "--no-same-owner", member]))
    ? join(directory, member)
    : null;
}

export class PackageSource implements AsyncDisposable {
  readonly #directory: string;
  readonly #suite: PackageSet["suite"];
  readonly #index: string;
  readonly #texts: Messages["install"];

  private constructor(parts: {
    directory: string;
    suite: PackageSet["suite"];
    index: string;
    texts: Messages["install"];
  }) {
    this.#directory = parts.directory;
    this.#suite = parts.suite;
    this.#index = parts.index;
    this.#texts = parts.texts;
  }

  /** Unpacks the file. Throws when it is not one for this machine's system. */
  static async open(file: string, { install: texts }: Pick<Messages, "install">): Promise<PackageSource> {
    const suite = await ownSuite();
    const directory = await mkdtemp(scratchPrefix);
    try {
      await runProgram(["tar", "-xzf", file, "-C", directory, "--no-same-owner"]);
      const index = await readFile(join(directory, suite ?? "", "Packages"), "utf8").catch(() => null);
      if (suite === null || index === null) throw new Error(texts.packagesOfOther(file));
      return new PackageSource({ directory, suite, index, texts });
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
  }

  has(name: string): boolean {
    return this.#index.includes(`Package: ${name}\n`);
  }

  /**
   * Installs these with what of their dependencies the machine has not. apt compares each with the hash in the
   * index, and nothing is removed for them. `note` is given how they are removed again.
   */
  async install(packages: readonly string[], note: (undo: Undo) => void): Promise<void> {
    const source = `deb [trusted=yes] file:${join(this.#directory, this.#suite)} ./`;
    const options = await aptOptions(join(this.#directory, "apt"), [source]);
    try {
      await runProgram([...apt, ...options, "update"], { timeoutMs: updateTimeoutMs });
      await aptInstall([...options, "--no-remove", ...packages], note);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(this.#texts.packagesRefused(this.#suite, packages.join(" "), reason), { cause });
    }
  }

  /** Leaves the packages of the agent's tools where it makes their trees from. Null when they are there. */
  async placeTools(): Promise<Undo | null> {
    const source = join(this.#directory, toolsSuite);
    const target = join(agentFiles.data, "tools", toolsArchive);
    const index = (folder: string) => readFile(join(folder, "Packages"), "utf8").catch(() => null);
    const before = await index(target);
    if (before === (await index(source))) return null;
    const draft = `${target}.new`;
    await rm(draft, { recursive: true, force: true });
    await cp(source, draft, { recursive: true });
    return await replaceDirectory(draft, target);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }
}

async function ownSuite(): Promise<PackageSet["suite"] | null> {
  const { VERSION_CODENAME } = parseEnv(await readFile("/etc/os-release", "utf8").catch(() => ""));
  return packageSets.find(({ suite }) => suite === VERSION_CODENAME)?.suite ?? null;
}
