/** Reads one line from a person, or from a pipe. */

import { createInterface } from "node:readline/promises";
import type { ReadStream } from "node:tty";
import { Writable } from "node:stream";

export interface AskTerminal {
  stdin: ReadStream;
  stderr: NodeJS.WritableStream;
  signal: AbortSignal;
  /** Called at Ctrl-C during a question, because a terminal in raw mode sends no signal. */
  interrupt(): void;
}

/** Resolves with null at the end of the input. What is typed to a secret question is not shown. */
export async function askLine(
  terminal: AskTerminal,
  question: string,
  options: { isSecret?: boolean } = {},
): Promise<string | null> {
  const { stdin, stderr, signal, interrupt } = terminal;
  const isPerson = stdin.isTTY;
  const shown =
    options.isSecret === true ? new Writable({ write: (_chunk, _encoding, done) => done() }) : stderr;
  const lines = createInterface({
    input: stdin,
    output: isPerson ? shown : undefined,
    terminal: isPerson,
    signal,
  });
  lines.once("SIGINT", interrupt);
  // Not before: what is typed at once would be echoed by the terminal, a secret, too.
  if (isPerson) stderr.write(`${question}: `);
  try {
    for await (const line of lines) return options.isSecret === true ? line : line.trim();
    signal.throwIfAborted();
    return null;
  } finally {
    lines.close();
    if (isPerson && options.isSecret === true) stderr.write("\n");
  }
}
