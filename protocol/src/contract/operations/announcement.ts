/** Defines the operators' operations on announcements, which reach accounts as notices. */

import { z } from "zod";
import { announcement, newAnnouncement } from "../../nouns/notice.ts";
import { described } from "../described.ts";
import { operation } from "../operation.ts";
import { asOperator, asViewer, bodyErrors } from "./operator-row.ts";

export const announcementOperations = {
  listAnnouncements: operation({
    ...asViewer,
    path: "/cluster/announcements",
    summary: { pt: "Lista os anúncios", en: "Lists the announcements" },
    text: { pt: "Os 100 mais novos, por 90 dias.", en: "The 100 newest, for 90 days." },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ announcements: z.array(announcement) }), {
        announcements: {
          pt: "Os anúncios, do mais novo ao mais antigo.",
          en: "The announcements, newest first.",
        },
      }),
    },
    errors: [],
  }),
  announce: operation({
    ...asOperator,
    method: "POST",
    path: "/cluster/announcements",
    summary: { pt: "Anuncia algo às contas", en: "Announces something to the accounts" },
    text: {
      pt: "Cada conta recebe um aviso, aos poucos. Com `host`, só as que têm projetos nessa máquina, como aviso de manutenção.",
      en: "Each account receives a notice, little by little. With `host`, only those with projects on that machine, as a notice of maintenance.",
    },
    body: {
      kind: "json",
      example: { text: "Hoje às 22h a rede para por 10 minutos." },
      schema: newAnnouncement,
    },
    answer: {
      kind: "json",
      status: 201,
      schema: described(z.strictObject({ announcement }), {
        announcement: { pt: "O anúncio.", en: "The announcement." },
      }),
    },
    errors: [...bodyErrors, "not_found"],
  }),
};
