/**
 * Runs the program behind `npm start`: brings a whole cluster up on this machine and keeps it running until
 * it must stop.
 */

import { ignoreOutputErrors } from "@tijolo/protocol/kit";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { CommandContext } from "../command-context.ts";
import { Configuration, configurationPath } from "../configuration.ts";
import { createContext } from "../create-context.ts";
import { chooseLanguage } from "../message-language.ts";
import { Output } from "../show/output.ts";
import { ClusterStart } from "./cluster-start.ts";
import { takePlace } from "./running-start.ts";
import { ServiceError } from "./service.ts";
import { parseStartConfig } from "./start-config.ts";

/**
 * Milliseconds after which a second signal counts: a terminal's Ctrl-C comes twice at once, from the terminal
 * and from npm; a person's second one comes later.
 */
const secondSignalAfterMs = 1_000;

const root = join(import.meta.dirname, "..", "..", "..");
ignoreOutputErrors();
process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { lang: { type: "string" }, runtime: { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  const interruption = new AbortController();
  const context = await makeContext(values.lang, interruption.signal);
  const { output, messages } = context;
  if (values.help === true) {
    output.line(messages.start.help);
    return 0;
  }
  try {
    const config = parseStartConfig(
      values.runtime === undefined ? process.env : { ...process.env, TIJOLO_RUNTIME: values.runtime },
    );
    const taken = await takePlace(config.dataDirectory);
    if ("pid" in taken) {
      output.error(messages.start.runsAlready(taken.pid, config.dataDirectory));
      return 1;
    }
    await using _place = taken.place;
    await using cluster = new ClusterStart(context, config, root);
    stopOnSignals(context, interruption, () => cluster.killAll());
    const interrupted = aborted(interruption.signal);
    await Promise.race([cluster.run(), interrupted]);
    await interrupted;
    return 0;
  } catch (cause) {
    if (interruption.signal.aborted) return 0;
    const lines = cause instanceof ServiceError ? cause.lines : [];
    for (const line of lines) output.error(`  │ ${line}`);
    output.error(
      output.noteStyle("red", messages.start.failed(cause instanceof Error ? cause.message : String(cause))),
    );
    if (process.env["TIJOLO_DEBUG"] && cause instanceof Error) output.error(cause.stack ?? "");
    return 1;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function stopOnSignals(
  { output, messages, clock }: CommandContext,
  interruption: AbortController,
  killAll: () => void,
): void {
  let firstAt: number | null = null;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (firstAt === null) {
        firstAt = clock.now();
        output.note(messages.start.stopping);
        interruption.abort();
      } else if (clock.now() - firstAt > secondSignalAfterMs) {
        killAll();
      }
    });
  }
}

function makeContext(lang: string | undefined, signal: AbortSignal): Promise<CommandContext> {
  const { env, stdout, stderr } = process;
  return createContext({
    language: chooseLanguage(lang, env),
    output: new Output({ stdout, stderr }, { isJson: false }),
    environment: env,
    configuration: new Configuration(configurationPath(env)),
    workingDirectory: process.cwd(),
    signal,
    fetch,
    clock: { now: () => Date.now() },
    random: Math.random,
    ask: async () => null,
    readInput: async () => "",
    isInteractive: false,
    openBrowser: async () => false,
  });
}
