/** Offset of the text in a line on disk: `2026-01-01T12:00:00.123Z text`. */

const textStart = 25;

/**
 * Returns a function that gives a line's time in ms, NaN where it has none. It caches the last second, as
 * most lines share it.
 */
export function lineTimeReader(): (line: string) => number {
  let second = "none";
  let secondMs = 0;
  return (line) => {
    if (line.charCodeAt(23) !== 0x5a || line.charCodeAt(24) !== 0x20) return Number.NaN;
    if (!line.startsWith(second)) {
      const prefix = line.slice(0, 19);
      const ms = Date.parse(`${prefix}Z`);
      if (Number.isNaN(ms)) return ms;
      second = prefix;
      secondMs = ms;
    }
    return secondMs + digit(line, 20) * 100 + digit(line, 21) * 10 + digit(line, 22);
  };
}

/** Returns the text of a line; one without a time (its writer was killed within it) is text as a whole. */
export function lineText(line: string, atMs: number): string {
  return Number.isNaN(atMs) ? line : line.slice(textStart);
}

export function stampLine(at: Date, text: string): string {
  return `${at.toISOString()} ${text}\n`;
}

function digit(line: string, index: number): number {
  return line.charCodeAt(index) - 0x30;
}
