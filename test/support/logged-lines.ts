/** Makes a logger for central and agents whose lines, JSON each, a test reads. */

import { pino, type LevelWithSilent, type Logger } from "pino";

export function loggedLines(level: LevelWithSilent): { lines: string[]; logger: Logger } {
  const lines: string[] = [];
  return { lines, logger: pino({ level }, { write: (line: string) => void lines.push(line) }) };
}
