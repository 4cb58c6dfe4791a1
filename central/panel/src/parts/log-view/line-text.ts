/** Turns the text of a line into pieces with colours, as a terminal would show it. Pure. */

import Anser from "anser";

export interface Piece {
  text: string;
  /** Names such as `ansi-red`, or the decorations `bold`, `dim`, `italic`, `underline`. */
  classes: readonly string[];
}

/** Characters of one line that are drawn. */
export const mostCharacters = 4_000;
/** What a terminal is told beside colours: cursor, titles, links. It would only be noise here. */
const otherSequences =
  /\u001b(?:\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\[[0-9;?]*[ -/]*(?:[@-ln-~]|$)|[ -/]+[0-~]|[^[\]]|$)|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]/g;
const colours = /\u001b\[[0-9;:]*m/g;

export function piecesOf(line: string): Piece[] {
  const shown = lastState(line).slice(0, mostCharacters).replaceAll(otherSequences, "");
  if (!shown.includes("\u001b")) return [{ text: shown, classes: [] }];
  return Anser.ansiToJson(shown, { use_classes: true, json: true, remove_empty: true }).map(
    ({ content, fg, decorations }) => ({
      text: content,
      classes: [...(fg === null || fg === "" ? [] : [fg]), ...decorations],
    }),
  );
}

/** Characters of a line beyond those that are drawn. */
export function cutOf(line: string): number {
  return Math.max(0, lastState(line).length - mostCharacters);
}

/** The words of a line without anything that only a terminal understands, whole. */
export function plainText(line: string): string {
  return lastState(line).replaceAll(otherSequences, "").replaceAll(colours, "");
}

/** What a terminal shows after carriage returns: a progress bar writes each state over the one before. */
function lastState(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === "\r") end--;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}
