/** Defines a host's reports about the files of a project that new code replaced. */

import { z } from "zod";
import { maxReplacedPathLength, maxReplacedPaths } from "../nouns/replaced-files.ts";
import { timestamp } from "../nouns/project.ts";
import { count } from "../values/amounts.ts";
import { shownText } from "../values/plain-text.ts";

const contents = {
  versionNumber: count,
  /** Number of files, as far as the host counts. */
  count,
  paths: z.array(shownText(maxReplacedPathLength)).max(maxReplacedPaths),
};

/** Entry of the outbox: files that a version replaced are kept. */
export const replacedEvent = z.object({ kind: z.literal("replaced"), ...contents });

/** Files that are kept of one version; `isRestoring`: some of them come back at the next start. */
export const replacedSetItem = z.object({
  kind: z.literal("replaced-set"),
  ...contents,
  sizeBytes: count,
  keptAt: timestamp,
  keptUntil: timestamp,
  isRestoring: z.boolean(),
});

/** Says whether there is something to bring back. */
export const replacedRestoreItem = z.object({ kind: z.literal("replaced-restore"), isFound: z.boolean() });
