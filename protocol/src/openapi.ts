/** The OpenAPI 3.1 document of the HTTP interface, generated from the operations table. */

import { z } from "zod";
import { errorTable, type ErrorCode } from "./errors.ts";
import { logEvent, logLine } from "./log.ts";
import { commonErrors, type Operation } from "./operation.ts";
import { operations } from "./operations.ts";
import { lastExit, project, projectError, usage } from "./project.ts";

type Json = { [name: string]: unknown };

export interface OpenApiOptions {
  /** With the `/api` prefix. */
  baseUrl: string;
}

/** Schemas that stand under `components`, by name; wherever else they appear, they are referred to. */
const named = z.registry<{ id: string }>();
named.add(project, { id: "Project" });
named.add(projectError, { id: "ProjectError" });
named.add(lastExit, { id: "LastExit" });
named.add(usage, { id: "Usage" });
named.add(logLine, { id: "LogLine" });
named.add(logEvent, { id: "LogEvent" });

export function openApiDocument({ baseUrl }: OpenApiOptions): Json {
  const schemas = new Map<string, Json>([["Error", errorSchema()]]);
  const paths = new Map<string, Json>();
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const path = paths.get(operation.path) ?? {};
    paths.set(operation.path, { ...path, [operation.method.toLowerCase()]: describeOperation(name, operation, schemas) });
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Tijolo",
      version: "1.0.0",
      description: "Hospedagem de bots, sites e APIs a partir de um .zip.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(Object.values<Operation>(operations).map(({ tag }) => tag))].map((name) => ({ name })),
    paths: Object.fromEntries(paths),
    components: {
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "Chave de API, começa com svc_." },
        session: { type: "apiKey", in: "cookie", name: "session", description: "Sessão do painel." },
      },
    },
  };
}

function describeOperation(name: string, operation: Operation, schemas: Map<string, Json>): Json {
  return {
    operationId: name,
    tags: [operation.tag],
    summary: operation.summary,
    ...describeAccess(operation),
    parameters: [...describeParameters(operation.params, "path", schemas), ...describeParameters(operation.query, "query", schemas)],
    ...describeBody(operation, schemas),
    responses: { ...describeAnswer(operation, schemas), ...describeErrors(operation) },
  };
}

function describeAccess({ access }: Operation): Json {
  switch (access.kind) {
    case "public":
      return { security: [] };
    case "panel":
      return { security: [{ session: [] }], description: "Só pelo painel." };
    case "key":
      return { security: [{ key: [] }, { session: [] }], description: `Permissão da chave: \`${access.scope}\`.`, "x-scope": access.scope };
  }
}

function describeParameters(schema: z.ZodType, place: "path" | "query", schemas: Map<string, Json>): Json[] {
  const { properties = {}, required = [] } = toJsonSchema(schema, "input", schemas) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: property,
  }));
}

function describeBody({ body }: Operation, schemas: Map<string, Json>): Json {
  switch (body.kind) {
    case "none":
      return {};
    case "json":
      return { requestBody: { required: true, content: { "application/json": { schema: toJsonSchema(body.schema, "input", schemas) } } } };
    case "upload": {
      const fields = toJsonSchema(body.fields, "input", schemas) as { properties?: Json; required?: string[] };
      const file = { type: "string", contentMediaType: "application/zip", description: "O .zip do projeto." };
      const schema = { ...fields, properties: { file, ...fields.properties }, required: ["file", ...(fields.required ?? [])] };
      return { requestBody: { required: true, content: { "multipart/form-data": { schema } } } };
    }
  }
}

function describeAnswer(operation: Operation, schemas: Map<string, Json>): Json {
  const { answer } = operation;
  const headers = operation.access.kind === "key" ? { headers: rateLimitHeaders } : {};
  switch (answer.kind) {
    case "empty":
      return { [answer.status]: { description: "Feito.", ...headers } };
    case "json": {
      const content = { "application/json": { schema: toJsonSchema(answer.schema, "output", schemas) } };
      return { [answer.status]: { description: answer.status === 202 ? "Aceito; acontece em seguida." : "Feito.", ...headers, content } };
    }
    case "events": {
      const content = {
        "text/event-stream": { schema: toJsonSchema(answer.event, "output", schemas) },
        "application/json": { schema: toJsonSchema(answer.page, "output", schemas) },
      };
      return {
        200: {
          description: "Um evento por mensagem SSE; com `follow=false` ou `Accept: application/json`, um documento JSON.",
          ...headers,
          content,
        },
      };
    }
  }
}

const seconds = { schema: { type: "integer" } };
const rateLimitHeaders: Json = {
  "RateLimit-Limit": { description: "Limite da janela mais apertada agora.", schema: { type: "integer" } },
  "RateLimit-Remaining": { description: "Requisições que ainda cabem nela.", schema: { type: "integer" } },
  "RateLimit-Reset": { description: "Segundos até ela recomeçar.", ...seconds },
  "RateLimit-Policy": { description: "`<por minuto>;w=60, <por dia>;w=86400`", schema: { type: "string" } },
};

/** One response per status, naming the codes that come with it. */
function describeErrors(operation: Operation): Json {
  const codesOfStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...operation.errors, ...commonErrors(operation.access)])) {
    for (const status of statusesOf(code)) codesOfStatus.set(status, [...(codesOfStatus.get(status) ?? []), code]);
  }
  const responses = [...codesOfStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => {
      const schema = { allOf: [{ $ref: "#/components/schemas/Error" }, { type: "object", properties: { code: { enum: codes } } }] };
      const description = codes.map((code) => `\`${code}\`: ${errorTable[code].message}`).join("\n\n");
      const headers =
        status === 429 ? { headers: { "Retry-After": { description: "Segundos que faltam.", required: true, ...seconds } } } : {};
      return [status, { description, ...headers, content: { "application/json": { schema } } }];
    });
  return Object.fromEntries(responses);
}

/** A zip over the plan's limit answers 413, one that is none 422 (spec: "HTTP errors"). */
function statusesOf(code: ErrorCode): number[] {
  return code === "invalid_zip" ? [413, 422] : [errorTable[code].status];
}

function errorSchema(): Json {
  return {
    type: "object",
    required: ["status", "code", "message"],
    properties: {
      status: { const: "error" },
      code: { type: "string", description: "Identificador fixo; é nele que um programa confia." },
      message: { type: "string", description: "Texto para uma pessoa; pode mudar." },
    },
  };
}

/** JSON Schema of `schema`; the named schemas in it move to `schemas` and are referred to there. */
function toJsonSchema(schema: z.ZodType, io: "input" | "output", schemas: Map<string, Json>): Json {
  const {
    $schema: _,
    $defs,
    ...result
  } = z.toJSONSchema(schema, { io, metadata: named, unrepresentable: "any" }) as Json & { $defs?: Record<string, Json> };
  for (const [name, definition] of Object.entries($defs ?? {})) schemas.set(name, withComponentRefs(definition));
  const { id, ...plain } = withComponentRefs(result);
  if (typeof id !== "string") return plain;
  schemas.set(id, plain);
  return { $ref: `#/components/schemas/${id}` };
}

function withComponentRefs(schema: Json): Json {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/');
  return JSON.parse(text) as Json;
}
