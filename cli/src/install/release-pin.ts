/**
 * Pins the key that signs releases, on hosts and on gateways elsewhere: central verifies each release by it, and a
 * central that hands out those of another key is refused before anything is changed. It keeps mistakes and other
 * people's builds out. Whoever has taken over central itself also writes the line that root runs there.
 */

import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fingerprintOf } from "@tijolo/protocol/kit";
import type { Messages } from "../messages.ts";
import { agentFiles, gatewayFiles, releaseKeyFile } from "./places.ts";
import { treeRoot } from "./release-tree.ts";
import { writeWhole } from "./file-steps.ts";
import type { Undo } from "./steps.ts";

export interface PinPlaces {
  /** The release that is being installed, or is in use. */
  tree: string;
  /** File with the pinned key. */
  pin: string;
}

const usual: PinPlaces = { tree: treeRoot, pin: releaseKeyFile };

/** Returns what is wrong with the release's key; nothing where none is pinned yet. */
export async function pinProblems({ install: texts }: Messages, { tree, pin } = usual): Promise<string[]> {
  const pinned = await readFile(pin, "utf8").catch(() => null);
  if (pinned === null) return [];
  const own = await ownKey(tree);
  if (pinned === own) return [];
  return [texts.otherReleaseKey(fingerprintOf(own.trim()), fingerprintOf(pinned.trim()), pin)];
}

export async function pinReleaseKey({ tree, pin } = usual): Promise<Undo | null> {
  return writeWhole({ path: pin, text: await ownKey(tree) });
}

/** Removes the pinned key from a machine that is neither a host nor a gateway any more. */
export async function forgetReleaseKey(): Promise<void> {
  const isUsed = [agentFiles.settings, gatewayFiles.settings].some((file) => existsSync(file));
  if (!isUsed) await rm(releaseKeyFile, { force: true });
}

function ownKey(tree: string): Promise<string> {
  return readFile(join(tree, "release-key.pub"), "utf8");
}
