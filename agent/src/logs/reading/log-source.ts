/** Lists the streams of a project, in the one order that cursors and equal times follow. */

import { join } from "node:path";
import {
  logSections,
  logStreams,
  streamName,
  type LogSection,
  type LogStream,
  type StreamName,
} from "../writer/log-files.ts";
import type { LogFilter } from "../log-line.ts";

export interface LogSource {
  /** Place in {@link logSources} and in a cursor. */
  index: number;
  section: LogSection;
  stream: LogStream;
  /** Name of its directory, below the section's. */
  name: StreamName;
}

/** The streams of runs beside others stand last: cursors and identities of before do not have them. */
export const logSources: readonly LogSource[] = [
  ...logSections.flatMap((section) => logStreams.map((stream) => ({ section, stream, name: stream }))),
  ...(["stdout", "stderr"] as const).map((stream) => ({
    section: "app" as const,
    stream,
    name: streamName(stream, "beside"),
  })),
].map((source, index) => ({ index, ...source }));

/** Number of the streams that every cursor has. */
export const oldestSources = logSections.length * logStreams.length;

export function sourceDirectory(projectDirectory: string, { section, name }: LogSource): string {
  return join(projectDirectory, section, name);
}

export function isWanted(source: LogSource, filter: LogFilter): boolean {
  return (
    (filter.section ?? source.section) === source.section &&
    (filter.stream ?? source.stream) === source.stream
  );
}
