/** Defines the operations with which the service describes itself to anybody. */

import { z } from "zod";
import { described } from "../described.ts";
import { operation, type Operation } from "../operation.ts";
import { timestamp } from "../../nouns/project.ts";
import { service } from "../../nouns/service.ts";
import { none } from "./inputs.ts";
import { tags } from "../tags.ts";

const asPublic = {
  method: "GET",
  tag: tags.service,
  access: { kind: "public" },
  effect: "read",
  params: none,
  query: none,
  body: { kind: "none" },
  errors: [],
} as const satisfies Partial<Operation>;

/** Status of the service. `degraded`: some hosts are silent; `down`: all are, or there is none. */
const health = described(
  z.strictObject({ state: z.enum(["operational", "degraded", "down"]), at: timestamp }),
  {
    state: {
      pt: "`operational`: tudo bem; `degraded`: alguns servidores não respondem; `down`: nenhum responde.",
      en: "`operational`: all is well; `degraded`: some servers do not answer; `down`: none answers.",
    },
    at: { pt: "Quando se olhou.", en: "When it was checked." },
  },
);

export const serviceOperations = {
  getHealth: operation({
    ...asPublic,
    path: "/status",
    summary: { pt: "Mostra se o serviço está bem", en: "Shows whether the service is well" },
    text: { pt: "Sem conta nem chave.", en: "Without an account or a key." },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ health }), {
        health: { pt: "O serviço agora.", en: "The service now." },
      }),
    },
  }),
  getService: operation({
    ...asPublic,
    path: "/service",
    summary: { pt: "Mostra o que este serviço oferece", en: "Shows what this service offers" },
    text: {
      pt: "Sem conta nem chave: cadastro, planos, limites e o que está desligado aqui.",
      en: "Without an account or a key: sign-up, plans, limits, and what is off here.",
    },
    answer: { kind: "json", status: 200, schema: service },
  }),
  getOpenApi: operation({
    ...asPublic,
    path: "/openapi.json",
    summary: {
      pt: "Esta descrição da API, em OpenAPI 3.1",
      en: "This description of the API, in OpenAPI 3.1",
    },
    text: {
      pt: "Gerado da mesma tabela que faz as rotas.",
      en: "Generated from the same table that makes the routes.",
    },
    answer: { kind: "document", contentType: "application/json; charset=utf-8" },
  }),
  getDocs: operation({
    ...asPublic,
    path: "/docs",
    summary: { pt: "A descrição da API como página", en: "The description of the API as a page" },
    text: {
      pt: "Uma página só, que funciona sem JavaScript e não pede nada a outros servidores.",
      en: "One page that works without JavaScript and requests nothing from other servers.",
    },
    answer: { kind: "document", contentType: "text/html; charset=utf-8" },
  }),
  getSvcSchema: operation({
    ...asPublic,
    path: "/svc.schema.json",
    summary: { pt: "JSON Schema do svc.json", en: "JSON Schema of svc.json" },
    text: {
      pt: 'Ponha `"$schema"` com este endereço no svc.json e o editor ajuda a preenchê-lo.',
      en: 'Put `"$schema"` with this address into svc.json, and the editor helps to fill it in.',
    },
    answer: { kind: "document", contentType: "application/schema+json; charset=utf-8" },
  }),
};
