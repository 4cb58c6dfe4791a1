/** Defines an account as operators see and change it. */

import { z } from "zod";
import { component, described } from "../contract/described.ts";
import { id } from "../values/id.ts";
import { account } from "./account.ts";
import { planName } from "./plan.ts";
import { timestamp } from "./project.ts";
import { sharedWords } from "../contract/shared-words.ts";

const { requests: _, ...summaryShape } = account.shape;

/** An account with its plan, its usage, and its state. */
export const accountSummary = component("AccountSummary", z.strictObject(summaryShape), {
  text: {
    pt: "Uma conta, com o plano e o que usa dele.",
    en: "An account with its plan and what it uses of it.",
  },
  fields: {
    id: sharedWords.id,
    name: sharedWords.name,
    plan: { pt: "O plano.", en: "The plan." },
    createdAt: sharedWords.createdAt,
    memoryMb: { pt: "Memória reservada, em MB.", en: "Reserved memory, in MB." },
    projects: { pt: "Projetos.", en: "Projects." },
    sites: { pt: "Sites.", en: "Sites." },
    domains: { pt: "Domínios próprios.", en: "Own domains." },
    suspendedAt: {
      pt: "Desde quando está suspensa; senão null.",
      en: "Since when it is suspended; or else null.",
    },
    stopsAt: {
      pt: "Quando param os projetos de uma conta suspensa; senão null.",
      en: "When the projects of a suspended account stop; or else null.",
    },
    betaEndsAt: {
      pt: "Quando volta ao plano Free; null se o beta não está acabando.",
      en: "When it returns to Free; null unless its beta is ending.",
    },
  },
});
export type AccountSummary = z.infer<typeof accountSummary>;

export const projectReference = described(z.strictObject({ id, name: z.string() }), sharedWords);
export type ProjectReference = z.infer<typeof projectReference>;

/** Result of a plan change, which stops nothing; it lists what no longer fits. */
export const planChange = described(
  z.strictObject({
    account: accountSummary,
    before: planName,
    excess: z.array(
      described(
        z.strictObject({
          of: z.enum(["memoryMb", "projects", "sites", "domains"]),
          limit: z.int(),
          used: z.int(),
        }),
        {
          of: { pt: "Do que há demais.", en: "What there is too much of." },
          limit: sharedWords.limit,
          used: sharedWords.used,
        },
      ),
    ),
    belowMinimum: z.array(
      described(z.strictObject({ id, name: z.string(), memoryMb: z.int(), minimumMb: z.int() }), {
        id: sharedWords.id,
        name: sharedWords.name,
        memoryMb: { pt: "A memória do projeto, em MB.", en: "The project's memory, in MB." },
        minimumMb: { pt: "O mínimo do plano, em MB.", en: "The plan's minimum, in MB." },
      }),
    ),
  }),
  {
    account: sharedWords.account,
    before: { pt: "O plano de antes.", en: "The plan before." },
    excess: { pt: "O que não cabe mais no plano.", en: "What does not fit into the plan any more." },
    belowMinimum: {
      pt: "Projetos abaixo da memória mínima do plano: ficam como estão até ela mudar.",
      en: "Projects below the plan's minimum memory: they stay as they are until it is changed.",
    },
  },
);
export type PlanChange = z.infer<typeof planChange>;
export type PlanExcess = PlanChange["excess"][number];

const linkShape = { token: z.string(), url: z.string(), expiresAt: timestamp };
const linkWords = {
  token: { pt: "O token; só aparece aqui.", en: "The token; it appears only here." },
  url: { pt: "A página do painel que o recebe.", en: "The panel's page that takes it." },
  expiresAt: { pt: "Até quando vale.", en: "Until when it works." },
};

/** Link for one use, shown once: the token, and the panel's page that takes it. */
export const issuedLink = described(z.strictObject(linkShape), linkWords);
export type IssuedLink = z.infer<typeof issuedLink>;

/** Link with the e-mail of the person whom it is for. */
export const passwordLink = described(z.strictObject({ ...linkShape, email: z.string() }), {
  ...linkWords,
  email: sharedWords.email,
});
export type PasswordLink = z.infer<typeof passwordLink>;
