/** Shows the person at the terminal what the services of `npm start` write to their logs and is of use there. */

import { machineNews } from "@tijolo/protocol";
import type { CommandContext } from "../command-context.ts";
import type { LogRecord } from "./log-tail.ts";
import { machineNewsText } from "./machine-news-text.ts";
import { errorText } from "./service.ts";

/** Milliseconds in which the same line is shown once. */
const repeatMs = 30_000;

export class ServiceLines {
  readonly #context: Pick<CommandContext, "output" | "messages" | "clock">;
  readonly #shown = new Map<string, number>();
  #hasAgentServed = false;

  constructor(context: Pick<CommandContext, "output" | "messages" | "clock">) {
    this.#context = context;
  }

  /**
   * Shows warnings always; until the agent serves also what programs report of their machine. A warning that
   * has no words in the reader's language is shown as the log has it.
   */
  show(name: string, { level, message, fields }: LogRecord): void {
    const { output, messages, clock } = this.#context;
    if (message === "agent serves") this.#hasAgentServed = true;
    const news = machineNews.safeParse(fields["news"]).data;
    if (level < 40 && (this.#hasAgentServed || news === undefined)) return;
    const words = news === undefined ? message : machineNewsText(messages, news);
    const text = [`${name}: ${words}`, errorText(fields["err"])].filter(Boolean).join(": ");
    const now = clock.now();
    if (now - (this.#shown.get(text) ?? Number.NEGATIVE_INFINITY) < repeatMs) return;
    if (this.#shown.size > 1_000) this.#shown.clear();
    this.#shown.set(text, now);
    output.note(output.noteStyle(level < 40 ? "dim" : "yellow", `  ${text}`));
  }
}
