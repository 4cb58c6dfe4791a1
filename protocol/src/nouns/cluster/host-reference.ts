/** Defines how an answer names a host, and the texts of what it says of one host. */

import { z } from "zod";
import { described } from "../../contract/described.ts";
import { sharedWords } from "../../contract/shared-words.ts";
import type { Words } from "../../values/words.ts";

export const hostReference = described(z.strictObject({ id: z.string(), name: z.string() }), sharedWords);
export type HostReference = z.infer<typeof hostReference>;

/** Texts of the fields that lead what an answer says of one host. */
export const hostAnswerWords = {
  host: { pt: "A máquina.", en: "The machine." },
  isReached: {
    pt: "Falso: está sem sinal, não respondeu, ou o agente é mais antigo que este pedido.",
    en: "False: it is silent, did not answer, or its agent is older than this request.",
  },
} as const satisfies Readonly<Record<string, Words>>;
