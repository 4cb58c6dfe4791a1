/** Defines what the service says of itself to anybody: whether it takes new people, its plans and its limits. */

import { z } from "zod";
import { component, described } from "../contract/described.ts";
import { plan } from "./plan.ts";

export const signUpModes = ["open", "invitation", "closed"] as const;

const build = described(z.strictObject({ central: z.string(), panel: z.string().nullable() }), {
  central: { pt: "Versão do serviço.", en: "The version of the service." },
  panel: {
    pt: "Build do painel que está no ar; null quando nenhum está.",
    en: "The build of the panel that is served; null when none is.",
  },
});

const limits = described(
  z.strictObject({
    variablesBytes: z.int(),
    keysPerAccount: z.int(),
    uploadEveryMs: z.int(),
    uploadsAtOnce: z.int(),
    logOpenEveryMs: z.int(),
    logStreamsAtOnce: z.int(),
  }),
  {
    variablesBytes: {
      pt: "Nomes e valores das variáveis de um projeto, em bytes.",
      en: "The names and values of a project's variables, in bytes.",
    },
    keysPerAccount: { pt: "Chaves por conta.", en: "Keys per account." },
    uploadEveryMs: {
      pt: "Pausa entre envios de uma conta, em milissegundos.",
      en: "Pause between two uploads of an account, in milliseconds.",
    },
    uploadsAtOnce: { pt: "Envios de uma conta ao mesmo tempo.", en: "Uploads of an account at once." },
    logOpenEveryMs: {
      pt: "Pausa entre aberturas do log de um projeto, em milissegundos.",
      en: "Pause between two openings of a project's log stream, in milliseconds.",
    },
    logStreamsAtOnce: {
      pt: "Logs que uma conta acompanha ao mesmo tempo.",
      en: "Log streams that an account has open at once.",
    },
  },
);

const textLengths = component("TextLengths", z.strictObject({ least: z.int(), most: z.int() }), {
  text: { pt: "De quantos a quantos caracteres um texto tem.", en: "How many characters a text may have." },
  fields: {
    least: { pt: "O menor comprimento.", en: "The least length." },
    most: { pt: "O maior comprimento.", en: "The greatest length." },
  },
});

export const service = component(
  "Service",
  z.strictObject({
    signUp: z.enum(signUpModes),
    hasMail: z.boolean(),
    siteUrlPattern: z.string(),
    plainSiteUrlPattern: z.string().nullable(),
    build,
    plans: z.array(plan),
    limits,
    lengths: z.record(z.string(), textLengths),
    featuresOff: z.array(z.string()),
  }),
  {
    text: {
      pt: "O que este serviço oferece, antes de qualquer conta.",
      en: "What this service offers, before any account.",
    },
    fields: {
      signUp: {
        pt: "Quem pode criar uma conta: `open`, qualquer pessoa; `invitation`, quem tem convite; `closed`, ninguém.",
        en: "Who may create an account: `open`, anybody; `invitation`, who has an invitation; `closed`, nobody.",
      },
      hasMail: { pt: "Se o serviço envia e-mails.", en: "Whether the service sends mail." },
      siteUrlPattern: {
        pt: "Endereço de um site, com `*` no lugar do subdomínio.",
        en: "The address of a site, with `*` in the place of its subdomain.",
      },
      plainSiteUrlPattern: {
        pt: "O endereço de um site por HTTP, onde o certificado do outro é do próprio cluster, que navegadores só conhecem depois de `tijolo cluster ca`; senão null.",
        en: "The address of a site over HTTP, where the certificate of the other is the cluster's own, which browsers know only after `tijolo cluster ca`; otherwise null.",
      },
      build: { pt: "O que está no ar.", en: "What is served." },
      plans: { pt: "Os planos, com o que cada um dá.", en: "The plans, with what each gives." },
      limits: { pt: "Limites de todos os planos.", en: "Limits of all plans." },
      lengths: {
        pt: "Comprimento dos textos que uma pessoa escreve, por nome.",
        en: "The lengths of texts that a person writes, by name.",
      },
      featuresOff: {
        pt: "Operações que este serviço não oferece agora, pelo `operationId`.",
        en: "Operations that this service does not offer now, by `operationId`.",
      },
    },
  },
);
export type Service = z.infer<typeof service>;
