/** Runs the program: builds the context from the process and runs the command line. */

import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { runCommandLine } from "./cli.ts";
import { askLine } from "./ask/ask-line.ts";
import { Configuration, configurationPath } from "./configuration.ts";
import { createContext } from "./create-context.ts";
import { chooseLanguage, languageOption } from "./message-language.ts";
import { Output } from "./show/output.ts";

/** Runs the command line; resolves with the exit code. */
export async function main(): Promise<number> {
  const words = process.argv.slice(2);
  const { stdin, stdout, stderr, env } = process;
  // A reader that goes away (`tijolo logs -f | head`) ends the command quietly.
  for (const stream of [stdout, stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);

  const context = await createContext({
    language: chooseLanguage(languageOption(words), env),
    output: new Output({ stdout, stderr }, { isJson: words.includes("--json") }),
    environment: env,
    configuration: new Configuration(configurationPath(env)),
    workingDirectory: process.cwd(),
    signal: interruption.signal,
    fetch,
    clock: { now: () => Date.now() },
    random: Math.random,
    ask: (question, options) =>
      askLine({ stdin, stderr, signal: interruption.signal, interrupt }, question, options),
    readInput: () => text(stdin),
    isInteractive: stdin.isTTY,
    openBrowser,
  });
  return await runCommandLine(words, context);
}

function openBrowser(url: string): Promise<boolean> {
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  return new Promise((resolve) => {
    const child = spawn(opener, [url], { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
