import { ownerMessageText, type OwnerMessage } from "@tijolo/protocol";

/** Returns the message as its owner reads it in Portuguese; "" where there is none. */
export function ownerText(message: OwnerMessage | null | undefined): string {
  return message === null || message === undefined ? "" : ownerMessageText(message, "pt");
}
