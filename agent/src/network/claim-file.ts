/**
 * Stores what the agent keeps on disk about the namespaces of projects, one file each, so that a restarted
 * agent finds them.
 */

import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Namespace } from "./namespace.ts";

export interface Traffic {
  receivedBytes: number;
  sentBytes: number;
}

export interface Claim {
  projectId: string;
  accountId: string;
  /** Number that stands for the account in the kernel, on this host. */
  accountMark: number;
  namespace: Namespace;
  /** Traffic of the interfaces that the project had before this one. */
  earlierTraffic: Traffic;
  /** Traffic last seen on this interface. */
  latestTraffic: Traffic;
}

const projectIdPattern = /^[0-9A-Za-z_-]{1,64}$/;

/** Returns every claim on disk; files that cannot be read are named, not thrown. */
export async function readClaims(directory: string): Promise<{ claims: Claim[]; unreadable: string[] }> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const claims: Claim[] = [];
  const unreadable: string[] = [];
  const entries = await readdir(directory, { withFileTypes: true });
  for (const { name } of entries.filter((entry) => !entry.isDirectory())) {
    const claim = name.endsWith(".json")
      ? parseClaim(await readFile(join(directory, name), "utf8"))
      : undefined;
    if (claim !== undefined && name === `${claim.projectId}.json`) claims.push(claim);
    else unreadable.push(name);
  }
  return { claims, unreadable };
}

export async function writeClaim(directory: string, claim: Claim): Promise<void> {
  if (!projectIdPattern.test(claim.projectId))
    throw new Error(`${JSON.stringify(claim.projectId)} is no project id`);
  const temporary = join(directory, `.${claim.projectId}.new`);
  await writeFile(temporary, JSON.stringify(claim), { mode: 0o600 });
  await rename(temporary, join(directory, `${claim.projectId}.json`));
}

export async function removeClaim(directory: string, projectId: string): Promise<void> {
  await rm(join(directory, `${projectId}.json`), { force: true });
}

function parseClaim(text: string): Claim | undefined {
  try {
    const claim = JSON.parse(text) as Claim;
    const { interface: link, name, address } = claim.namespace;
    const numbers = [
      claim.accountMark,
      ...[claim.earlierTraffic, claim.latestTraffic].flatMap((t) => [t.receivedBytes, t.sentBytes]),
    ];
    const isSound =
      [claim.projectId, claim.accountId, link, name, address].every((value) => typeof value === "string") &&
      numbers.every(Number.isFinite);
    return isSound ? claim : undefined;
  } catch {
    return undefined;
  }
}
