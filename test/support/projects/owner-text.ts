import type { OwnerMessage } from "@tijolo/protocol";
import { ownerMessageText } from "@tijolo/protocol/texts/project";

/** Returns the message as its owner reads it in Portuguese; "" where there is none. */
export function ownerText(message: OwnerMessage | null | undefined): string {
  return message === null || message === undefined ? "" : ownerMessageText(message, "pt");
}
