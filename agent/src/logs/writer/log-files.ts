/**
 * Defines where a project's log lines lie on disk, and the command of the small process that writes them
 * there.
 *
 * `<data>/logs/<projectId>/<section>/<stream>/` holds the files of one stream:
 * - `<first>-.log` the file being written, `<first>` being the number of its first line;
 * - `<first>-<last>.log` a full one, never changed again, the oldest deleted once there are too many;
 * - `lock` held by the one writer: a run that begins while another of the project goes on writes to streams of
 *   its own, `stdout-beside` and `stderr-beside` ({@link outputDirectories}).
 *
 * A stream's lines are numbered from 1 for as long as the project lives; a number is never used twice. A
 * number that no file covers is a line that was dropped. Each line is `2026-01-01T12:00:00.123Z text`; a file
 * is complete up to its last newline.
 *
 * The writer is Perl (perl-base is on every Debian, about half a megabyte private per process). s6-log is
 * smaller but loses a last line that has no newline, forgets its counts when killed, and orders archives by
 * the wall clock, so numbers could not be exact.
 */

import { join } from "node:path";

/** The install step's lines and those of the project itself. */
export const logSections = ["install", "app"] as const;
export type LogSection = (typeof logSections)[number];

/** `system` lines are the agent's own words to the user. */
export const logStreams = ["stdout", "stderr", "system"] as const;
export type LogStream = (typeof logStreams)[number];

export interface LogLimits {
  /** Largest size of a file (a single block of up to 64 KB of input always has its place). */
  fileBytes: number;
  /** Number of full files that are kept beside the one being written. */
  archives: number;
  /** Longest line in bytes; longer lines are cut here and marked `... [123 bytes cut]`. */
  lineBytes: number;
}

/** 20 MB a stream. */
export const defaultLogLimits: LogLimits = { fileBytes: 2_000_000, archives: 9, lineBytes: 16_384 };

/** Returns the directory that holds everything of a project's log. */
export function projectLogDirectory(data: string, projectId: string): string {
  if (!/^[A-Za-z0-9_-]+$/.test(projectId)) throw new Error(`not a project id: ${JSON.stringify(projectId)}`);
  return join(data, "logs", projectId);
}

/** Returns the directory of one section; `stdout` and `stderr` below it belong to the log writer. */
export function logDirectory(data: string, projectId: string, section: LogSection): string {
  return join(projectLogDirectory(data, projectId), section);
}

/**
 * Set of streams that a run writes: two runs of a project, of which the second begins before the first has
 * ended, take turns with them.
 */
export const logSets = ["first", "beside"] as const;
export type LogSet = (typeof logSets)[number];

/** Returns the directories of stdout and stderr, below the directory of the section. */
export function outputDirectories(directory: string, set: LogSet = "first"): [string, string] {
  return [join(directory, streamName("stdout", set)), join(directory, streamName("stderr", set))];
}

/** Returns the name of a stream's directory; the agent's own lines have no set. */
export function streamName(stream: LogStream, set: LogSet): StreamName {
  return set === "first" || stream === "system" ? stream : `${stream}-${set}`;
}

export type StreamName = LogStream | `${Exclude<LogStream, "system">}-beside`;

/**
 * Returns the command of a log writer. It reads stdin into `directory` (`<logDirectory>/stdout` or
 * `/stderr`), makes the directory where it is missing, and ends with status 0 once its stdin ends; nothing
 * else but SIGKILL ends it. Killed, it loses at most what it has read and not yet written (64 KB); a next one
 * goes on with the numbering.
 *
 * With several directories one process serves several streams (half the memory): the first is stdin, the next
 * descriptors 3, 4 …
 */
export function logWriterArgv(
  tools: { argv(name: string): string[] },
  directory: string | readonly string[],
  limits: LogLimits = defaultLogLimits,
): string[] {
  return [
    ...tools.argv("perl"),
    ...logWriterScript(typeof directory === "string" ? [directory] : directory, limits),
  ];
}

/** Returns the script and its arguments, for a Perl that is running already. */
export function logWriterScript(
  directories: readonly string[],
  limits: LogLimits = defaultLogLimits,
): string[] {
  const numbers = [clockGettimeCall(process), limits.fileBytes, limits.archives, limits.lineBytes];
  return [join(import.meta.dirname, "log-writer.pl"), ...numbers.map(String), ...directories];
}

/**
 * Returns the system call's number; 0 lets the writer use Time::HiRes, which costs memory, or fall back on
 * whole seconds.
 */
function clockGettimeCall({ platform, arch }: { platform: string; arch: string }): number {
  if (platform !== "linux") return 0;
  switch (arch) {
    case "x64":
      return 228;
    case "arm64":
    case "riscv64":
    case "loong64":
      return 113;
    case "ppc64":
      return 246;
    case "s390x":
      return 260;
    case "arm":
      return 263;
    default:
      return 0;
  }
}
