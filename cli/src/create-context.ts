/** Builds the context of a command from what surrounds the process. */

import type { CommandContext } from "./command-context.ts";
import { connectAccount, connectOperator } from "./client/connect.ts";
import { loadMessages, type MessageLanguage } from "./messages.ts";
import { patientFetch } from "./client/patient-fetch.ts";
import { printable } from "./show/printable.ts";

/** The parts of a context that do not follow from the rest of it. */
export type Surroundings = Omit<CommandContext, "messages" | "connect" | "connectOperator"> & {
  language: MessageLanguage;
};

export async function createContext({ language, ...surroundings }: Surroundings): Promise<CommandContext> {
  const { configuration, environment, output, signal } = surroundings;
  const messages = await loadMessages(language);
  const fetch = patientFetch({ fetch: surroundings.fetch, output, messages, signal });
  const connector = { configuration, environment, messages, fetch };
  return {
    ...surroundings,
    messages,
    fetch,
    ask: (question, options) => surroundings.ask(printable(question), options),
    connect: () => connectAccount(connector),
    connectOperator: () => connectOperator(connector),
  };
}
