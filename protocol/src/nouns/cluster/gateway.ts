/** Defines a gateway of the cluster in a list: a machine where visitors arrive. */

import { z } from "zod";
import { component } from "../../contract/described.ts";
import { sharedWords } from "../../contract/shared-words.ts";
import { id } from "../../values/id.ts";
import { timestamp } from "../project.ts";

export const gatewaySummary = component(
  "Gateway",
  z.strictObject({
    id,
    name: z.string(),
    state: z.enum(["connected", "unknown", "never_connected"]),
    version: z.string().nullable(),
    lastSeenAt: timestamp.nullable(),
    createdAt: timestamp,
  }),
  {
    text: {
      pt: "Um gateway: a máquina aonde chegam os visitantes dos sites.",
      en: "A gateway: the machine where visitors of sites arrive.",
    },
    fields: {
      id: sharedWords.id,
      name: sharedWords.name,
      createdAt: sharedWords.createdAt,
      state: {
        pt: "`connected`: conectado; `unknown`: sem sinal, e serve o que já sabia; `never_connected`: ainda não veio.",
        en: "`connected`: it is connected; `unknown`: it is silent, and serves what it knew; `never_connected`: it has not come yet.",
      },
      version: { pt: "A versão do programa.", en: "The program's version." },
      lastSeenAt: { pt: "Quando se conectou pela última vez.", en: "When it connected last." },
    },
  },
);
export type GatewaySummary = z.infer<typeof gatewaySummary>;
