/** Shows the files of a program that new code replaced. */

import { shellWord, type Client, type ProjectEvent } from "@tijolo/protocol";
import type { CommandContext } from "../command-context.ts";
import { printable } from "./printable.ts";

/** Number of paths that are shown; `tijolo replaced list` shows the others. */
const shownPaths = 5;
/** Number of the newest events among which those of a deploy are looked for. */
const lookedAt = 20;

/** Events that bring a version into a project. */
const deployKinds: readonly ProjectEvent["kind"][] = ["create", "upload", "rollback"];

export type Replaced = NonNullable<ProjectEvent["replaced"]>;

/**
 * Resolves with the files that the version of a deploy replaced, by the events since the deploy; null when it
 * replaced none, or the events cannot be read. `versionNumber`: null for a key that may not read it.
 */
export async function findReplaced(
  { client, uploaded }: { client: Client; uploaded: { id: string } },
  versionNumber: number | null,
  signal: AbortSignal,
): Promise<Replaced | null> {
  try {
    const { events } = await client.listProjectEvents(
      { id: uploaded.id, query: { limit: lookedAt } },
      { signal },
    );
    const deployed = events.findIndex(({ kind }) => deployKinds.includes(kind));
    const since = deployed < 0 ? events : events.slice(0, deployed);
    const found = since.find(
      ({ replaced }) => replaced !== null && replaced.version === (versionNumber ?? replaced.version),
    );
    return found?.replaced ?? null;
  } catch {
    return null; // the deploy itself went well
  }
}

/** Returns the lines that name the replaced files, and the command that brings them back. */
export function formatReplaced(
  { messages: { project }, output }: CommandContext,
  projectId: string,
  { version, count, paths }: Replaced,
): string[] {
  return [
    output.noteStyle("yellow", project.filesReplaced(namesOf({ count, paths }, project.andMore))),
    project.restoreFiles(`tijolo replaced restore ${shellWord(projectId)} ${version}`),
  ];
}

/** Returns the first paths and how many more there are. */
export function namesOf(
  { count, paths }: Pick<Replaced, "count" | "paths">,
  andMore: (count: number) => string,
): string {
  const shown = paths.slice(0, shownPaths).map(printable);
  const more = count - shown.length;
  return [shown.join(", "), ...(more > 0 ? [andMore(more)] : [])].join(" ");
}
