/** Log lines and the events of a log stream (spec: logs endpoint; its open parts are decided here). */

import { z } from "zod";
import { inputReasons } from "../contract/input-reasons.ts";
import { lastExit, projectStatus, timestamp } from "./project.ts";
import { toPlainText } from "../values/plain-text.ts";

/** Instalação and Aplicação. */
export const logSections = ["install", "app"] as const;
export const logSection = z.enum(logSections);
export type LogSection = (typeof logSections)[number];

/** `system`: lines that Tijolo itself writes for the owner. */
export const logStreams = ["stdout", "stderr", "system"] as const;
export const logStream = z.enum(logStreams);
export type LogStream = (typeof logStreams)[number];

export const logLine = z.strictObject({
  at: timestamp,
  section: logSection,
  stream: logStream,
  /** The upload that wrote the line. */
  version: z.int(),
  text: z.string(),
});
export type LogLine = z.infer<typeof logLine>;

/** Lines that were dropped; never silently. */
export const logGap = z.strictObject({ at: timestamp, droppedLines: z.int() });
export type LogGap = z.infer<typeof logGap>;

/**
 * What a stream sends, one SSE event each: `log`, `status` when the project's status changed, `gap` when
 * lines were dropped.
 */
export const logEvent = z.discriminatedUnion("event", [
  z.strictObject({ event: z.literal("log"), id: z.string(), data: logLine }),
  z.strictObject({
    event: z.literal("status"),
    data: z.strictObject({ at: timestamp, status: projectStatus, lastExit: lastExit.nullable() }),
  }),
  z.strictObject({
    event: z.literal("gap"),
    id: z.string().optional(),
    data: logGap,
  }),
]);
export type LogEvent = z.infer<typeof logEvent>;

const integerText = z
  .string()
  .regex(/^\d{1,9}$/, inputReasons.badWholeNumber.pt)
  .transform(Number);
const booleanText = z.enum(["true", "false"]).transform((text) => text === "true");

/**
 * Accepts the cursors that the link accepts (`plainText`). It is a check, not a pattern: few clients' tools
 * can read that pattern.
 */
const cursorText = z
  .string()
  .max(500)
  .refine((text) => toPlainText(text) === text, { error: inputReasons.controlCharacter.pt });

/** Query of `GET /projects/{id}/logs`. */
export const logQuery = z
  .strictObject({
    lines: integerText.pipe(z.int().min(0).max(1000)).default(100),
    section: z.enum(["all", ...logSections]).default("all"),
    follow: booleanText.default(true),
    since: z.iso.datetime().max(100).optional(),
    until: z.iso.datetime().max(100).optional(),
    q: z.string().min(1).max(200).optional(),
    stream: logStream.optional(),
    /** Continues after this line; the same as the header `Last-Event-ID`. */
    cursor: cursorText.optional(),
    /** Of a page: only lines that lie before this cursor. */
    before: cursorText.optional(),
  })
  .refine(({ cursor, before }) => cursor === undefined || before === undefined, {
    error: inputReasons.beforeAndCursor.pt,
    path: ["before"],
  });
export type LogQuery = z.infer<typeof logQuery>;
