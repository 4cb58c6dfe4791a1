/**
 * Makes texts harmless for a terminal. `Output` does it with everything that is written, so that no command
 * can forget it; a field in a longer line is made harmless by itself, because its colours must end with it.
 */

const endOfColours = "\u001b[0m";

/**
 * Matches control characters but tab and newline, an escape that begins no colour, other ends of a line, and
 * controls of the reading direction.
 */
const steering =
  // oxlint-disable-next-line no-control-regex -- exactly these are meant
  /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\u001b(?!\[[0-9;]*m)/g;

/**
 * Returns the text with each character that controls a terminal made visible; colours pass, and end with it.
 */
export function printable(text: string): string {
  const shown = text.replaceAll(steering, shownAs);
  return shown.includes("\u001b") && !shown.endsWith(endOfColours) ? shown + endOfColours : shown;
}

/** Does what {@link printable} does, for a text that must not begin another line. */
export function printableLine(text: string): string {
  return printable(text).replaceAll(/[\n\t]/g, shownAs);
}

/** Returns the same JSON with such characters written as JSON escapes. */
export function printableJson(json: string): string {
  return json.replaceAll(steering, (character) => `\\u${hexadecimal(character, 4)}`);
}

function shownAs(character: string): string {
  return character > "\u00ff" ? `\\u${hexadecimal(character, 4)}` : `\\x${hexadecimal(character, 2)}`;
}

function hexadecimal(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, "0");
}
