/** Shows the files of a program that new code replaced. */

import { shellWord, type Client, type ProjectEvent } from "@tijolo/protocol";
import type { CommandContext } from "../command-context.ts";

/** Paths that are named; the command shows the others. */
const shownPaths = 5;
/** Newest events among which those of an upload are looked for. */
const lookedAt = 20;

export type Replaced = NonNullable<ProjectEvent["replaced"]>;

/**
 * Resolves with what the newest upload of the project replaced, by the events that are newer than it; null
 * when it replaced nothing, or the events cannot be read.
 */
export async function findReplaced(
  client: Client,
  projectId: string,
  signal: AbortSignal,
): Promise<Replaced | null> {
  try {
    const { events } = await client.listProjectEvents(
      { id: projectId, query: { limit: lookedAt } },
      { signal },
    );
    const upload = events.findIndex(({ kind }) => kind === "upload" || kind === "create");
    const since = upload < 0 ? events : events.slice(0, upload);
    return since.find(({ replaced }) => replaced !== null)?.replaced ?? null;
  } catch {
    return null; // the upload itself went well
  }
}

/** Returns the lines that tell of them, and of the command that brings them back. */
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
  const shown = paths.slice(0, shownPaths);
  const more = count - shown.length;
  return [shown.join(", "), ...(more > 0 ? [andMore(more)] : [])].join(" ");
}
