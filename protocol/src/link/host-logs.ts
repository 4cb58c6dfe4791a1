/** Defines central's requests to a host for a project's log, and their items. */

import { z } from "zod";
import { count } from "../values/amounts.ts";
import { id } from "../values/id.ts";
import { logLine, logSections, logStream, programSections } from "../nouns/log.ts";
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
  /** Text that a person searches for: any characters. */
  q: z.string().max(200).optional(),
  stream: logStream.optional(),
  cursor: plainText(500).optional(),
  /** Cursor of a page without `cursor`: the page has only lines that lie before it. */
  before: plainText(500).optional(),
  /** True for a page that begins with an item `previous`, unless nothing that matches is older. */
  tellsPrevious: z.boolean().optional(),
});
/**
 * Cursor before the first line of any log, for a page of the oldest lines: its name is that of no log, of
 * which nothing was delivered yet. One count for each stream of each section.
 */
export const logStartCursor = ["0", ...programSections.flatMap(() => logStream.options.map(() => "0"))].join(
  ".",
);

export type LogRequest = z.infer<typeof logRequest>;

const cursor = plainText(500);

/**
 * A line as the project's program wrote it, with any characters: the program that shows it must make them
 * harmless.
 */
const hostLogLine = z.object({ ...logLine.shape, version: count, text: z.string().max(linkMaxFrameBytes) });

export const hostLogItem = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("line"), cursor, line: hostLogLine }),
  z.object({ kind: z.literal("gap"), cursor, at: timestamp, droppedLines: count }),
  /** Cursor before which everything older than the page lies. */
  z.object({ kind: z.literal("previous"), cursor }),
]);
export type HostLogItem = z.infer<typeof hostLogItem>;

/** Most lines of visits in one request, over all sites. */
export const maxAccessLines = 1_000;
/** Longest line of a visit. */
export const maxAccessLineLength = 1_900;

/** Visits to sites of the host, one line each, for their logs. */
export const accessLines = z.object({
  /** The same when a request is sent again, so that a host writes it once. */
  batch: plainText(64),
  sites: z
    .array(
      z.object({
        projectId: id,
        lines: z.array(z.object({ at: timestamp, text: plainText(maxAccessLineLength) })).max(maxAccessLines),
        /** Lines that were lost before these. */
        droppedLines: count,
      }),
    )
    .max(maxAccessLines),
});
export type AccessLines = z.infer<typeof accessLines>;
