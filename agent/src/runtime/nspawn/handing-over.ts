/**
 * Makes the shell of a start command replace itself by the program. The signal of a stop goes to the
 * container's main process; dash would stay that, die of it, and kill the program before it has written
 * anything.
 */

/**
 * Returns the same text with `exec` before its last command, where that changes nothing else; what is not
 * plain stays as it is.
 */
export function handingOver(text: string): string {
  const commands = plainCommands(text);
  const last = commands?.at(-1);
  if (commands === undefined || last === undefined) return text;
  if (commands.some(({ word }) => keptFor.has(word)) || builtins.has(last.word)) return text;
  return `${text.slice(0, last.at)}exec ${text.slice(last.at)}`;
}

interface PlainCommand {
  /** Index where its first word begins, behind assignments. */
  at: number;
  word: string;
}

/**
 * Words that prevent the change: parts of larger constructions, and commands that only the shell that read
 * them can execute.
 */
const keptFor = new Set(
  "! { } [[ alias case do done elif else esac exec exit fi for function if in return select then time trap until wait while".split(
    " ",
  ),
);

const builtins = new Set(
  ". : [ bg break cd command continue echo eval export false fc fg getopts hash jobs kill let local printf pwd read readonly set shift source test times true type typeset ulimit umask unalias unset".split(
    " ",
  ),
);

/** Matches quoted text, or one character that is plain to the shell; a substitution is not plain. */
const plainText =
  /'[^']*'|"(?:[^"\\`$]|\\[^]|\$(?![({])|\$\{\w+\})*"|\\[^]|\$\{\w+(?::?[-=+][\w./:@-]*)?\}|>&|<&|[^'"\\`;&|()\n#]/y;
const separator = /&&|;(?!;)|\n/y;
const assignments = /^(?:[A-Za-z_]\w*=[\w./:@%+,-]*[ \t]+)*/;

/** Splits the text into commands; undefined where the text is more than commands one after the other. */
function plainCommands(text: string): PlainCommand[] | undefined {
  const commands: PlainCommand[] = [];
  let begin = 0;
  let at = 0;
  const close = () => {
    const command = commandOf(text, begin, at);
    if (command !== undefined) commands.push(command);
  };
  while (at < text.length) {
    plainText.lastIndex = at;
    separator.lastIndex = at;
    const plain = plainText.exec(text)?.[0];
    const separating = plain === undefined ? separator.exec(text)?.[0] : undefined;
    if (separating !== undefined) close();
    const length = (plain ?? separating)?.length;
    if (length === undefined || text.startsWith("<<", at) || text.startsWith("$(", at)) return undefined;
    at += length;
    if (separating !== undefined) begin = at;
  }
  close();
  return commands;
}

function commandOf(text: string, begin: number, end: number): PlainCommand | undefined {
  const whole = text.slice(begin, end);
  const start = begin + (whole.length - whole.trimStart().length);
  const at = start + (assignments.exec(text.slice(start, end))?.[0].length ?? 0);
  const word = /^[^\s<>]+/.exec(text.slice(at, end))?.[0];
  if (word === undefined) return whole.trim() === "" ? undefined : { at, word: ":" };
  return { at, word: /^\w+=/.test(word) ? ":" : word };
}
