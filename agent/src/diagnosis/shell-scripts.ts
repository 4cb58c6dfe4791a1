/**
 * Holds the rules for scripts that the shell cannot run: most were saved on Windows, whose lines end with CR
 * LF. The CR itself is not in the lines that the rules see, unless a program prints it as `\r` or `^M`.
 *
 * A pattern that begins with a file's name says that nothing of the name stands before it: else a long line
 * without a space is tried again from each of its characters, and takes the square of its length.
 */

import { quote } from "@tijolo/protocol";
import { quoteFound, type Rule } from "./rule.ts";

export const shellScriptRules: readonly Rule[] = [
  {
    // bash and env print the CR as `\r` or `^M`.
    pattern:
      /(?<![^\s:])(?:([^\s:]+): line \d+: (?:\$'[^'\n]*\\r': command not found|syntax error near unexpected token `\$'[^'\n]*\\r'')|([^\s:]+): [^\s:]+\^M: bad interpreter)|env: [^\s\w][^\n]{0,80}?\\r[^\s\w]+: No such file(?:[^]{0,60}env: use -\[v\]S)?/,
    explain: ([, command, script]) => ({ code: "windows_line_ends", file: quoteFound(command ?? script) }),
  },
  {
    // Where the shell prints the CR itself, an empty line looks like a command, or an option has no name.
    pattern:
      /(?<![^\s:])([^\s:]+): (?:\d+: : not found|(?:line )?\d+: set: (?:Illegal option -(?=\n|$)|-: invalid option))/,
    explain: ([, script]) => ({ code: "windows_line_ends", file: quoteFound(script) }),
  },
  {
    pattern:
      /(?<![^\s:])([^\s:]+): (?:line \d+: syntax error: unexpected end of file|\d+: Syntax error: end of file unexpected)/,
    explain: ([, file]) => ({ code: "shell_script_unfinished", file: quote(file) }),
  },
  {
    // The shell calls the program of the script's first line by the script's own name.
    pattern:
      /sh: (?:line )?\d+: (?:exec: )?(\.{0,2}\/[^\s:]+|[^\s:]+\.sh): (?:not found|cannot execute: required file not found)/,
    explain: ([, file]) => ({ code: "script_not_runnable", file: quote(file) }),
  },
];
