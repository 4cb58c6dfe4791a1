/** The message of a failed order of a certificate, for the owner of its name. */

import type { OrderFault } from "../nouns/certificate.ts";
import { orderFault as en } from "./en/order-fault.ts";
import { orderFault as pt } from "./pt/order-fault.ts";
import type { TextLanguage } from "./text-language.ts";

const texts = { pt, en };

export function orderFaultMessage(fault: OrderFault, language: TextLanguage): string {
  return texts[language][fault];
}
