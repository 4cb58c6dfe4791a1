/** Reads the mounts that this process sees. */

import { readFile } from "node:fs/promises";

export interface MountEntry {
  mountPoint: string;
  /** `major:minor` of the file system. */
  device: string;
  fileSystem: string;
  source: string;
  /** Options of the file system as a whole, like `prjquota`. */
  options: string[];
}

/** Returns the mounts, oldest first: of two on one mount point, the later one is visible. */
export async function readMounts(): Promise<MountEntry[]> {
  return parseMounts(await readFile("/proc/self/mountinfo", "utf8"));
}

export function parseMounts(text: string): MountEntry[] {
  return text.split("\n").flatMap((line) => {
    const [before = "", after = ""] = line.split(" - ");
    const [, , device, , mountPoint] = before.split(" ");
    const [fileSystem, source, options] = after.split(" ");
    if (device === undefined || mountPoint === undefined || fileSystem === undefined || source === undefined)
      return [];
    return [
      {
        device,
        mountPoint: unescaped(mountPoint),
        fileSystem,
        source: unescaped(source),
        options: options?.split(",") ?? [],
      },
    ];
  });
}

export async function findMount(mountPoint: string): Promise<MountEntry | undefined> {
  return (await readMounts()).findLast((mount) => mount.mountPoint === mountPoint);
}

/** Returns the mount that a path lies on. */
export async function mountOf(path: string): Promise<MountEntry | undefined> {
  const isAbove = ({ mountPoint }: MountEntry) =>
    mountPoint === "/" || path === mountPoint || path.startsWith(`${mountPoint}/`);
  const above = (await readMounts()).filter(isAbove);
  const longest = Math.max(...above.map(({ mountPoint }) => mountPoint.length));
  return above.findLast(({ mountPoint }) => mountPoint.length === longest);
}

/** True when nothing can be written there: it was mounted read-only, or the kernel met an error below it. */
export function isReadOnly({ options }: MountEntry): boolean {
  return options.some((option) => option === "ro" || option === "emergency_ro" || option === "shutdown");
}

/** Decodes space, tab, newline and backslash, which are written in octal. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
