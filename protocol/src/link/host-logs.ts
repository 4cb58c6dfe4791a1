/** What central asks a host for of a project's log, and what it answers. */

import { z } from "zod";
import { count } from "../values/amounts.ts";
import { logLine, logSections, logStream } from "../nouns/log.ts";
import { plainText } from "../values/plain-text.ts";
import { timestamp } from "../nouns/project.ts";
import { linkMaxFrameBytes } from "./link-limits.ts";

/** A log query as it travels: defaults filled in, no text numbers. */
export const logRequest = z.object({
  lines: z.int().min(0).max(1000),
  section: z.enum(["all", ...logSections]),
  follow: z.boolean(),
  since: z.iso.datetime().max(100).optional(),
  until: z.iso.datetime().max(100).optional(),
  /** What a person looks for: any characters. */
  q: z.string().max(200).optional(),
  stream: logStream.optional(),
  cursor: plainText(500).optional(),
  /** Of a page without `cursor`: only lines that lie before this one. */
  before: plainText(500).optional(),
  /** Of a page: it begins with an item `previous`, unless nothing that matches is older. */
  tellsPrevious: z.boolean().optional(),
});
export type LogRequest = z.infer<typeof logRequest>;

const cursor = plainText(500);

/**
 * A line as the project's program wrote it: its characters are not the link's concern, and whoever shows it
 * makes them harmless.
 */
const hostLogLine = z.object({ ...logLine.shape, version: count, text: z.string().max(linkMaxFrameBytes) });

export const hostLogItem = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("line"), cursor, line: hostLogLine }),
  z.object({ kind: z.literal("gap"), cursor, at: timestamp, droppedLines: count }),
  /** What is older than the page lies before this cursor. */
  z.object({ kind: z.literal("previous"), cursor }),
]);
export type HostLogItem = z.infer<typeof hostLogItem>;
