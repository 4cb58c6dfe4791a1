/**
 * Collects the warnings about an upload before it is sent: one list, to which each kind of warning adds a
 * function.
 */

import { open } from "node:fs/promises";
import type { NeededPath } from "@tijolo/protocol/proposal";
import type { SelectedFile, Selection } from "../archive/select-files.ts";
import type { Messages } from "../messages.ts";
import { findDatabases } from "./find-databases.ts";

export interface UploadContents {
  selection: Selection;
  needed: NeededPath | null;
  /** Reads the first bytes of a file, fewer where it has fewer. */
  readStart: (file: SelectedFile, bytes: number) => Promise<Uint8Array>;
}

/** Returns the warnings of one kind, each a whole text. */
type WarningKind = (contents: UploadContents, texts: Messages["deploy"]) => string[] | Promise<string[]>;

const kinds: readonly WarningKind[] = [leftOutLinks, sentDotenv, sentDatabases, restoredPaths];

/** Resolves with all warnings, in the order of their kinds. */
export async function warningsOf(contents: UploadContents, messages: Messages): Promise<string[]> {
  const warnings: string[] = [];
  for (const warn of kinds) warnings.push(...(await warn(contents, messages.deploy)));
  return warnings;
}

function leftOutLinks({ selection }: UploadContents, texts: Messages["deploy"]): string[] {
  return selection.leftOut.map((name) => texts.leftOut(name));
}

function sentDotenv({ selection }: UploadContents, texts: Messages["deploy"]): string[] {
  return selection.files.some(({ name }) => name === ".env") ? [texts.sendsDotenv] : [];
}

async function sentDatabases(
  { selection, readStart: read }: UploadContents,
  texts: Messages["deploy"],
): Promise<string[]> {
  const names = await findDatabases(selection.files, read);
  return names.length === 0 ? [] : [texts.sendsDatabases(names.join(", "))];
}

/**
 * Names the paths that are sent although an ignore file leaves them out, except svc.json, which is always
 * expected.
 */
function restoredPaths({ selection, needed }: UploadContents, texts: Messages["deploy"]): string[] {
  return selection.restored
    .filter(({ name }) => name !== "svc.json")
    .map(({ name, rule }) =>
      rule === null
        ? texts.restored(name, needed?.setting ?? "")
        : texts.restoredFromRule(name, { rule, setting: needed?.setting ?? "" }),
    );
}

export async function readStart(file: SelectedFile, bytes: number): Promise<Uint8Array> {
  await using handle = await open(file.path, "r");
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
  return buffer.subarray(0, bytesRead);
}
