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
  /** True for the network of a run beside which the next one has begun, which has another. */
  isLeaving: boolean;
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
    const places = claim === undefined ? [] : [claim, { ...claim, isLeaving: !claim.isLeaving }];
    const named = places.find((each) => name === claimName(each));
    if (named !== undefined) claims.push(named);
    else unreadable.push(name);
  }
  return { claims, unreadable };
}

/** Names a claim among those of all projects, and its file. A move between two names is one step. */
export function claimName({ projectId, isLeaving }: Pick<Claim, "projectId" | "isLeaving">): string {
  return isLeaving ? `${projectId}.leaving.json` : `${projectId}.json`;
}

export async function writeClaim(directory: string, claim: Claim): Promise<void> {
  if (!projectIdPattern.test(claim.projectId))
    throw new Error(`${JSON.stringify(claim.projectId)} is no project id`);
  const { isLeaving: _byName, ...written } = claim;
  const temporary = join(directory, `.${claimName(claim)}.new`);
  await writeFile(temporary, JSON.stringify(written), { mode: 0o600 });
  await rename(temporary, join(directory, claimName(claim)));
}

/** Makes the claim of a run that leaves the project's own again, or the other way round. */
export async function moveClaim(directory: string, claim: Claim): Promise<Claim> {
  const moved = { ...claim, isLeaving: !claim.isLeaving };
  await rename(join(directory, claimName(claim)), join(directory, claimName(moved)));
  return moved;
}

export async function removeClaim(directory: string, claim: Claim): Promise<void> {
  await rm(join(directory, claimName(claim)), { force: true });
}

function parseClaim(text: string): Claim | undefined {
  try {
    const claim = { ...(JSON.parse(text) as Claim), isLeaving: false };
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
