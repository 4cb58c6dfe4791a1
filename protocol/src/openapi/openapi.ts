/** The OpenAPI 3.1 document of the HTTP interface, generated from the operations table. */

import { isResumable, type Operation } from "../contract/operation.ts";
import { operations, type OperationName } from "../contract/operations.ts";
import { bodyExamples } from "./examples.ts";
import { describeErrors } from "./error-responses.ts";
import { answerHeaders, headerComponents, headerParameters, parameterComponents } from "./headers.ts";
import { introduction, type IntroductionFacts } from "./introduction.ts";
import { JsonSchemas } from "./json-schemas.ts";
import { operationTexts, tagTexts } from "./operation-texts.ts";
import type { Json } from "./tidy-schema.ts";
import { plans } from "../nouns/plan.ts";
import { defaultServiceLimits } from "../contract/service-limits.ts";

export interface OpenApiOptions extends Partial<IntroductionFacts> {
  /** With the `/api` prefix. */
  baseUrl: string;
  /** The name of the panel's cookie. */
  sessionCookie: string;
}

export function openApiDocument({ baseUrl, sessionCookie, ...facts }: OpenApiOptions): Json {
  const schemas = new JsonSchemas();
  const paths = new Map<string, Json>();
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const path = paths.get(operation.path) ?? {};
    paths.set(operation.path, {
      ...path,
      [operation.method.toLowerCase()]: describeOperation(name as OperationName, operation, schemas),
    });
  }
  const sections = introduction({ plans: [...plans.values()], limits: defaultServiceLimits, ...facts });
  return {
    openapi: "3.1.0",
    info: {
      title: "Tijolo",
      version: "1.0.0",
      summary: "Hospedagem de bots, sites e APIs a partir de um .zip.",
      description: sections.map(({ title, text }) => `# ${title}\n\n${text}`).join("\n\n"),
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: baseUrl }],
    tags: tagNames().map((name) => ({ name, ...textOf(tagTexts[name]) })),
    paths: Object.fromEntries(paths),
    components: {
      schemas: schemas.components(),
      headers: headerComponents,
      parameters: parameterComponents,
      securitySchemes: {
        key: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "svc_…",
          description:
            "Chave de API, começa com `svc_`. A permissão que cada operação pede vem em `security`.",
        },
        operator: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "tjo_…",
          description:
            "Token de operador, começa com `tjo_`. O papel que cada operação pede vem em `security`: `viewer`, `operator` ou `owner`; um papel inclui os anteriores.",
        },
        session: {
          type: "apiKey",
          in: "cookie",
          name: sessionCookie,
          description:
            "Sessão do painel, que POST /sign-in abre. Requisições que mudam algo precisam vir do próprio painel (`Origin`).",
        },
      },
    },
  };
}

function tagNames(): string[] {
  return [...new Set(Object.values<Operation>(operations).map(({ tag }) => tag))];
}

function textOf(description: string | undefined): Json {
  return description === undefined ? {} : { description };
}

function describeOperation(name: OperationName, operation: Operation, schemas: JsonSchemas): Json {
  const parameters = [
    ...describeParameters(name, operation, { place: "path", schemas }),
    ...describeParameters(name, operation, { place: "query", schemas }),
    ...headerParameters(operation),
  ];
  return {
    operationId: name,
    tags: [operation.tag],
    summary: typeof operation.summary === "string" ? operation.summary : operation.summary.pt,
    ...textOf(operation.text?.pt ?? operationTexts[name]),
    ...describeAccess(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...describeBody(name, operation, schemas),
    responses: { ...describeAnswer(name, operation, schemas), ...describeErrors(operation, schemas) },
  };
}

function describeAccess({ access }: Operation): Json {
  switch (access.kind) {
    case "public":
      return { security: [] };
    case "panel":
      return { security: [{ session: [] }] };
    case "operator":
      return { security: [{ operator: [access.role] }] };
    case "key":
      return { security: [{ key: [access.scope] }, { session: [] }] };
  }
}

function describeParameters(
  name: OperationName,
  operation: Operation,
  { place, schemas }: { place: "path" | "query"; schemas: JsonSchemas },
): Json[] {
  const { properties, required } = schemas.textFields(
    place === "path" ? operation.params : operation.query,
    name,
  );
  return Object.entries(properties).map(([field, { description, ...schema }]) => ({
    name: field,
    in: place,
    ...(place === "path" || required.includes(field) ? { required: true } : {}),
    description,
    schema,
  }));
}

function describeBody(name: OperationName, { body }: Operation, schemas: JsonSchemas): Json {
  switch (body.kind) {
    case "none":
      return {};
    case "json": {
      const example = body.example ?? bodyExamples[name];
      const content = {
        schema: schemas.of(body.schema, "input", name),
        ...(example === undefined ? {} : { example }),
      };
      return { requestBody: { required: true, content: { "application/json": content } } };
    }
    case "upload": {
      const { properties, required } = schemas.textFields(body.fields, name);
      const file = { type: "string", contentMediaType: "application/zip", description: "O .zip do projeto." };
      const schema = {
        type: "object",
        properties: { ...properties, file },
        required: [...required, "file"],
        additionalProperties: false,
      };
      const encoding = { file: { contentType: "application/zip, application/octet-stream" } };
      return { requestBody: { required: true, content: { "multipart/form-data": { schema, encoding } } } };
    }
  }
}

function describeAnswer(name: OperationName, operation: Operation, schemas: JsonSchemas): Json {
  const { answer } = operation;
  switch (answer.kind) {
    case "empty":
      return { [answer.status]: { description: "Feito.", headers: answerHeaders(operation, answer.status) } };
    case "json": {
      const description = { 200: "Feito.", 201: "Criado.", 202: "Aceito; acontece em seguida." }[
        answer.status
      ];
      const content = { "application/json": { schema: schemas.of(answer.schema, "output", name) } };
      return { [answer.status]: { description, headers: answerHeaders(operation, answer.status), content } };
    }
    case "document": {
      const [type = ""] = answer.contentType.split(";");
      const content = { [type]: { schema: type.endsWith("json") ? { type: "object" } : { type: "string" } } };
      return {
        200: { description: "O documento.", headers: answerHeaders(operation, 200), content },
        304: {
          description: "Não mudou desde o `ETag` de `If-None-Match`.",
          headers: answerHeaders(operation, 304),
        },
      };
    }
    case "events": {
      const events = {
        type: "string",
        contentMediaType: "text/event-stream",
        contentSchema: schemas.of(answer.event, "output", name),
        description: "Uma mensagem SSE por evento: `event` e `id` são campos SSE, `data` é JSON.",
      };
      return {
        200: {
          description: isResumable(operation)
            ? "O stream de eventos; com `follow=false` ou `Accept: application/json`, um documento JSON."
            : "O stream de eventos; com `Accept: application/json`, um documento JSON, no fim.",
          headers: answerHeaders(operation, 200),
          content: {
            "text/event-stream": { schema: events },
            "application/json": { schema: schemas.of(answer.page, "output", name) },
          },
        },
      };
    }
  }
}
