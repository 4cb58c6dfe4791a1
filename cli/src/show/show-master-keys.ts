/** Shows the master keys as a table of their names. */

import type { MasterKeyStatus } from "@tijolo/protocol";
import type { CommandContext } from "../command-context.ts";
import { formatTable } from "./format.ts";

export function showMasterKeys(
  { messages, output }: CommandContext,
  { source, currentKeyId, keys }: MasterKeyStatus,
): void {
  const texts = messages.masterKey;
  output.line(texts.from[source]);
  const stateOf = (key: MasterKeyStatus["keys"][number]) => {
    if (!key.isKnown) return texts.states.lost;
    return key.id === currentKeyId ? texts.states.current : texts.states.known;
  };
  const rows = keys.map((key) => [key.id, stateOf(key), String(key.documents)]);
  if (rows.length > 0) {
    for (const line of formatTable([
      [messages.fields.id, texts.fields.state, texts.fields.documents],
      ...rows,
    ]))
      output.line(line);
  }
  if (currentKeyId === null) output.note(texts.none);
  else if (keys.some(({ isKnown }) => !isKnown)) output.note(texts.lost);
}
