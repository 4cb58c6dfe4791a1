/** Reads the last lines of a project's log, without following it: a page has no pace. */

import { api } from "./client.ts";

const count = 12;
const maxLength = 400;
/** Sequences by which a terminal is told colours and more; here only the words count. */
const sequences = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)/g;

export async function readLastLines(
  id: string,
  section: "install" | "app",
  signal: AbortSignal,
): Promise<string[]> {
  const { lines } = await api.streamLogs.page({ id, query: { section, lines: count } }, { signal });
  return lines.map(({ text }) => text.replaceAll(sequences, "").slice(0, maxLength));
}
