/** What the service says about itself, to anybody. */

import { z } from "zod";
import { operation, type Operation } from "../operation.ts";
import { timestamp } from "../../nouns/project.ts";
import { none } from "./inputs.ts";

const asPublic = {
  method: "GET",
  tag: "Serviço",
  access: { kind: "public" },
  effect: "read",
  params: none,
  query: none,
  body: { kind: "none" },
  errors: [],
} as const satisfies Partial<Operation>;

/** `degraded`: some hosts are silent; `down`: all are, or there is none. */
const health = z.strictObject({ state: z.enum(["operational", "degraded", "down"]), at: timestamp });

export const serviceOperations = {
  getHealth: operation({
    ...asPublic,
    path: "/status",
    summary: "Mostra se o serviço está bem",
    answer: { kind: "json", status: 200, schema: z.strictObject({ health }) },
  }),
  getOpenApi: operation({
    ...asPublic,
    path: "/openapi.json",
    summary: "Esta descrição da API, em OpenAPI 3.1",
    answer: { kind: "document", contentType: "application/json; charset=utf-8" },
  }),
  getDocs: operation({
    ...asPublic,
    path: "/docs",
    summary: "A descrição da API como página",
    answer: { kind: "document", contentType: "text/html; charset=utf-8" },
  }),
  getSvcSchema: operation({
    ...asPublic,
    path: "/svc.schema.json",
    summary: "JSON Schema do svc.json",
    answer: { kind: "document", contentType: "application/schema+json; charset=utf-8" },
  }),
};
