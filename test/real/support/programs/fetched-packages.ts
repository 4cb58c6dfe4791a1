/** Fetches programs as Debian and the npm registry distribute them, unpacked once and kept between runs. */

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { exec } from "../../../../agent/src/host/exec.ts";
import { debianSources, indexAgeOptions } from "../../../../agent/src/images/debian-archive.ts";
import { findHostArchive } from "../../../../agent/src/images/host-archive.ts";
import { testCache, testIndexAgeDays } from "../images/kept-images.ts";

const kept = join(testCache, "programs");
const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
const timeoutMs = 300_000;

/**
 * Returns the packages' files as `dpkg -x` lays them out, without their scripts. The names of the packages
 * are those of trixie.
 */
export function debianPackages(name: string, packages: readonly string[]): Promise<string> {
  const set = createHash("sha256").update(packages.join()).digest("hex").slice(0, 8);
  return keepOnce(`debian-${name}-${set}`, async (directory) => {
    const state = `${directory}.apt`;
    try {
      for (const path of ["lists/partial", "cache/archives/partial", "downloaded"])
        await mkdir(join(state, path), { recursive: true });
      await writeFile(
        join(state, "sources.list"),
        debianSources("trixie", await findHostArchive(), `signed-by=${keyring}`).join("\n") + "\n",
      );
      await writeFile(join(state, "status"), "");
      const apt = ["apt-get", "--quiet", "--quiet", ...aptOptions(state).flatMap((option) => ["-o", option])];
      const options = { cwd: join(state, "downloaded"), timeoutMs };
      await exec([...apt, "-o", "APT::Update::Error-Mode=any", "update"], options);
      await exec([...apt, "download", ...packages], options);
      for (const file of await readdir(options.cwd))
        await exec(["dpkg", "--extract", file, directory], options);
      await writeFile(join(directory, "packages"), (await readdir(options.cwd)).join("\n"));
    } finally {
      await rm(state, { recursive: true, force: true });
    }
  });
}

function aptOptions(state: string): string[] {
  return [
    `Dir::State::Lists=${join(state, "lists")}`,
    `Dir::State::Status=${join(state, "status")}`,
    `Dir::Cache=${join(state, "cache")}`,
    `Dir::Etc::SourceList=${join(state, "sources.list")}`,
    "Dir::Etc::SourceParts=/dev/null",
    "APT::Sandbox::User=root",
    "Acquire::Languages=none",
    "Acquire::Retries=3",
    ...indexAgeOptions(testIndexAgeDays).map((option) => option.replace(/ "(.*)"$/, "=$1")),
  ];
}

/** Returns the version of a package in {@link debianPackages}. */
export async function debianVersion(directory: string, name: string): Promise<string> {
  const files = (await readFile(join(directory, "packages"), "utf8")).split("\n");
  return decodeURIComponent(files.find((file) => file.startsWith(`${name}_`))?.split("_")[1] ?? "");
}

/** Returns the files of an npm package. */
export function npmPackage(name: string, version: string): Promise<string> {
  return keepOnce(`npm-${name}-${version}`, async (directory) => {
    await exec(["npm", "pack", "--silent", `${name}@${version}`], {
      cwd: directory,
      timeoutMs,
      env: ownEnvironment(),
    });
    const archive = join(directory, `${name}-${version}.tgz`);
    await exec(["tar", "--extract", `--file=${archive}`, `--directory=${directory}`, "--strip-components=1"]);
    await rm(archive);
  });
}

/** Returns this process's environment, with the caller's settings for npm. */
function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** The plain files below a folder, by their paths from there; `place` is put before them. */
export async function filesOf(directory: string, place = ""): Promise<Record<string, Uint8Array>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const files: Record<string, Uint8Array> = {};
  for (const path of paths.sort()) files[join(place, relative(directory, path))] = await readFile(path);
  return files;
}

async function keepOnce(name: string, make: (directory: string) => Promise<void>): Promise<string> {
  const directory = join(kept, name);
  if (existsSync(directory)) return directory;
  const partial = `${directory}.${process.pid}`;
  try {
    await mkdir(partial, { recursive: true });
    await make(partial);
    await rename(partial, directory).catch((error: unknown) => {
      if (!existsSync(directory)) throw error; // another process was first
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return directory;
}
