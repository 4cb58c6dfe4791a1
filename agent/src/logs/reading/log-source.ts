/** Lists the streams of a project, in the one order that cursors and equal times follow. */

import { join } from "node:path";
import { logSections, logStreams, type LogSection, type LogStream } from "../writer/log-files.ts";
import type { LogFilter } from "../log-line.ts";

export interface LogSource {
  /** Place in {@link logSources} and in a cursor. */
  index: number;
  section: LogSection;
  stream: LogStream;
}

export const logSources: readonly LogSource[] = logSections
  .flatMap((section) => logStreams.map((stream) => ({ section, stream })))
  .map((source, index) => ({ index, ...source }));

export function sourceDirectory(projectDirectory: string, source: LogSource): string {
  return join(projectDirectory, source.section, source.stream);
}

export function isWanted(source: LogSource, filter: LogFilter): boolean {
  return (
    (filter.section ?? source.section) === source.section &&
    (filter.stream ?? source.stream) === source.stream
  );
}
