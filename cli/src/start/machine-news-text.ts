/** Makes the sentence of what a program reports of its machine as it starts, in the reader's language. */

import type { MachineNews } from "@tijolo/protocol";
import type { Messages } from "../messages.ts";

export function machineNewsText({ machineNews: texts }: Messages, news: MachineNews): string {
  // The code chooses the text whose parameters are those of the news, which TypeScript does not follow.
  const text = texts[news.code] as (parameters: MachineNews) => string;
  return text(news);
}
