/** Finds, in what a program wrote, where the error begins that ended it. */

import type { Language } from "@tijolo/protocol";

/** Returns the lines from the last uncaught error on; all of them when none is found. */
export function sinceLastError(language: Language, lines: readonly string[]): readonly string[] {
  const start = startOf[language]?.(lines) ?? -1;
  return start === -1 ? lines : lines.slice(start);
}

const startOf: Partial<Record<Language, (lines: readonly string[]) => number>> = {
  node: lastOfNode,
  python: lastOfPython,
  java: (lines) => lines.findLastIndex((line) => line.startsWith("Exception in thread ")),
};

const nodeError = /^(?:Uncaught )?\w*(?:Error|Exception)\b/;
/** Lines that a message and its "Require stack" take before the stack. */
const messageLines = 20;
/** Number of lines before the error: the place, its line of code, the marks below it and an empty line. */
const frameLines = 6;

/** Finds the last error with a stack, from the place of the code that Node prints above it. */
function lastOfNode(lines: readonly string[]): number {
  const error = lines.findLastIndex(
    (line, at) => nodeError.test(line) && hasStack(lines.slice(at + 1, at + 1 + messageLines)),
  );
  const framesFrom = Math.max(0, error - frameLines);
  const frame = lines
    .slice(framesFrom, Math.max(0, error))
    .findLastIndex((line) => /^(?:file:\/\/|node:|\/)[^\s]*:\d+$/.test(line));
  return frame === -1 ? error : framesFrom + frame;
}

function hasStack(after: readonly string[]): boolean {
  const isOfNext = after.findIndex((line) => nodeError.test(line));
  return after.slice(0, isOfNext === -1 ? after.length : isOfNext).some((line) => /^\s+at /.test(line));
}

/** Header of a traceback, also of a group of exceptions, and behind the level that a logger writes. */
const traceback = /^(?: {2}\+ Exception Group |\S.* )?Traceback \(most recent call last\):/;
const chained =
  /^(?:During handling of the above exception, another|The above exception was the direct cause)/;

/** Finds the last traceback, from the first of those that led to it. */
function lastOfPython(lines: readonly string[]): number {
  let start = lines.findLastIndex(
    (line, at) => traceback.test(line) && lines[at - 1]?.startsWith("Exception ignored") !== true,
  );
  // The master of gunicorn ends by an error of its own when a worker could not start: the worker's is above
  // it.
  if (start !== -1 && lines.slice(start).some((line) => line.startsWith("gunicorn.errors.HaltServer")))
    return -1;
  for (let link = chainAbove(lines, start); link !== -1; link = chainAbove(lines, start)) {
    const earlier = lines.slice(0, link).findLastIndex((line) => traceback.test(line));
    if (earlier === -1) return 0;
    start = earlier;
  }
  return start;
}

/** Returns the line that ties a traceback to the one above it; -1 when the traceback stands alone. */
function chainAbove(lines: readonly string[], start: number): number {
  const above = lines.slice(0, Math.max(0, start)).findLastIndex((line) => line.trim() !== "");
  return above !== -1 && chained.test(lines[above] ?? "") ? above : -1;
}
