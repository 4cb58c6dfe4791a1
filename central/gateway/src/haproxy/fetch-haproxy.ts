/**
 * Fetches a tree with Debian 13's HAProxy, and renews it where the archive has newer packages. A tree has the name of
 * what it is made of, and a link leads to the one in use: the link always leads to a whole tree, whenever a fetch
 * is ended.
 */

import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readlink, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../exec.ts";
import { isNewEnough } from "./new-enough.ts";

const suite = "trixie";
/** Name of the link. */
const inUse = "haproxy";
const lookTimeoutMs = 5 * 60_000;
const fetchTimeoutMs = 10 * 60_000;
const syncTimeoutMs = 60_000;

const machines: Partial<Record<NodeJS.Architecture, { libraries: string; loader: string }>> = {
  x64: { libraries: "usr/lib/x86_64-linux-gnu", loader: "ld-linux-x86-64.so.2" },
  arm64: { libraries: "usr/lib/aarch64-linux-gnu", loader: "ld-linux-aarch64.so.1" },
};

/**
 * Returns the command prefix that runs the fetched HAProxy through its own dynamic loader, whether or not it is there;
 * undefined on an architecture other than x64 and arm64.
 */
export function fetchedProgram(toolsDirectory: string): string[] | undefined {
  return programIn(join(toolsDirectory, inUse));
}

export function hasFetched(toolsDirectory: string): boolean {
  return existsSync(join(toolsDirectory, inUse));
}

/**
 * Fetches HAProxy, or updates the fetched one to the packages in Debian's archive. Resolves with false when it is up to
 * date. A running gateway switches to the new one within an hour. Throws, with the link as it was, when the archive is
 * not reached or its HAProxy does not run here.
 */
export async function fetchHaproxy(toolsDirectory: string): Promise<boolean> {
  await mkdir(toolsDirectory, { recursive: true });
  await removePartial(toolsDirectory);
  const partial = join(toolsDirectory, partialName());
  try {
    if (hasFetched(toolsDirectory)) {
      const name = await nameInArchive();
      if ((await readlink(join(toolsDirectory, inUse)).catch(() => "")) === name) return false;
      await makeTree(partial);
      await use(toolsDirectory, { partial, name });
    } else {
      const [named, made] = await Promise.allSettled([nameInArchive(), makeTree(partial)]);
      if (made.status === "rejected") throw made.reason;
      if (named.status === "rejected") throw named.reason;
      await use(toolsDirectory, { partial, name: named.value });
    }
    return true;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** Gives the tree its name, has the link lead there, and removes the trees before it. */
async function use(
  toolsDirectory: string,
  { partial, name }: { partial: string; name: string },
): Promise<void> {
  const tree = join(toolsDirectory, name);
  await rename(partial, tree).catch((error: unknown) => {
    if (!existsSync(tree)) throw error; // another gateway was faster, with the same packages
  });
  const draft = join(toolsDirectory, partialName());
  await symlink(name, draft);
  await rename(draft, join(toolsDirectory, inUse));
  for (const each of await readdir(toolsDirectory))
    if (/^haproxy-[0-9a-f]+$/.test(each) && each !== name)
      await rm(join(toolsDirectory, each), { recursive: true, force: true });
}

/** Returns the name of a tree that would be made now: by the hash of its packages' names and versions. */
async function nameInArchive(): Promise<string> {
  const argv = ["mmdebstrap", "--simulate", "--verbose", "--variant=extract", "--include=haproxy"];
  const { code, output } = await run([...argv, suite, "/dev/null"], { timeoutMs: lookTimeoutMs });
  const packages = [...output.matchAll(/^Inst (\S+) \((\S+)/gm)].map(
    ([, name, version]) => `${name} ${version}`,
  );
  if (code !== 0 || !packages.some((each) => each.startsWith("haproxy ")))
    throw new Error(`Debian's archive does not say which HAProxy it has: ${output.trim().slice(-500)}`);
  const hash = createHash("sha256").update(packages.toSorted().join("\n")).digest("hex");
  return `haproxy-${hash.slice(0, 16)}`;
}

/** Makes a tree that is on the disk, and whose HAProxy runs here. */
async function makeTree(directory: string): Promise<void> {
  const argv = ["mmdebstrap", "--quiet", "--variant=extract", "--format=directory", "--include=haproxy"];
  const { code, output } = await run([...argv, suite, directory], { timeoutMs: fetchTimeoutMs });
  if (code !== 0) throw new Error(`HAProxy could not be fetched from Debian: ${output.trim().slice(-500)}`);
  for (const path of ["var", "usr/share", "dev"])
    await rm(join(directory, path), { recursive: true, force: true });
  if (!(await isNewEnough(programIn(directory) ?? [])))
    throw new Error("The HAProxy that was fetched from Debian does not run on this machine.");
  await run(["sync", "--file-system", directory], { timeoutMs: syncTimeoutMs });
}

/** Returns a name of something that is not whole: it tells the process that makes it. */
function partialName(): string {
  return `${randomBytes(4).toString("hex")}.${process.pid}.partial`;
}

/** Removes what a fetch has left that was ended. */
async function removePartial(toolsDirectory: string): Promise<void> {
  for (const name of await readdir(toolsDirectory)) {
    const [, pid] = /\.(\d+)\.partial$/.exec(name) ?? [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      await rm(join(toolsDirectory, name), { recursive: true, force: true });
  }
}

function programIn(tree: string): string[] | undefined {
  const machine = machines[process.arch];
  if (machine === undefined) return undefined;
  const libraries = join(tree, machine.libraries);
  return [join(libraries, machine.loader), "--library-path", libraries, join(tree, "usr/sbin/haproxy")];
}
