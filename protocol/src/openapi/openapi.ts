/** Generates the OpenAPI 3.1 document of the HTTP interface from the operations table. */

import type { Words } from "../values/words.ts";
import type { Operation } from "../contract/operation.ts";
import { operations, type OperationName } from "../contract/operations.ts";
import { describeErrors } from "./error-responses.ts";
import { headerComponents, headerParameters, parameterComponents } from "./headers.ts";
import { introduction, type IntroductionFacts } from "./introduction.ts";
import { JsonSchemas, withPackages } from "./json-schemas.ts";
import { describeSuccess } from "./success-responses.ts";
import type { Json } from "./tidy-schema.ts";
import type { Tag } from "../contract/tags.ts";
import { plans } from "../nouns/plan.ts";
import { defaultServiceLimits } from "../contract/service-limits.ts";

export interface OpenApiOptions extends Partial<IntroductionFacts> {
  /** Base URL with the `/api` prefix. */
  baseUrl: string;
  /** System packages that an operator allows beside the specification's. */
  morePackages?: readonly string[];
  /** The name of the panel's cookie. */
  sessionCookie: string;
  /** Default Portuguese. */
  language?: keyof Words;
}

const words = {
  summary: {
    pt: "Hospedagem de bots, sites e APIs a partir de um .zip.",
    en: "Hosting of bots, sites and APIs from a .zip.",
  },
  key: {
    pt: "Chave de API, começa com `svc_`. A permissão que cada operação pede vem em `security`.",
    en: "An API key; it begins with `svc_`. The scope that each operation requires stands in `security`.",
  },
  operator: {
    pt: "Token de operador, começa com `tjo_`. O papel que cada operação pede vem em `security`: `viewer`, `operator` ou `owner`; um papel inclui os anteriores.",
    en: "An operator token; it begins with `tjo_`. The role that each operation requires stands in `security`: `viewer`, `operator` or `owner`; a role includes those before it.",
  },
  session: {
    pt: "Sessão do painel, que POST /sign-in abre. Requisições que mudam algo precisam vir do próprio painel (`Origin`).",
    en: "The panel session, which POST /sign-in opens. Requests that change something must come from the panel itself (`Origin`).",
  },
  zip: { pt: "O .zip do projeto.", en: "The project's .zip." },
} as const satisfies Record<string, Words>;

export function openApiDocument({
  baseUrl,
  sessionCookie,
  morePackages = [],
  language = "pt",
  ...facts
}: OpenApiOptions): Json {
  const schemas = new JsonSchemas(language);
  // Before the components are listed: a path adds the schemas that it uses.
  const paths = describePaths(schemas);
  const sections = introduction(
    { plans: [...plans.values()], limits: defaultServiceLimits, ...facts },
    language,
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "Tijolo",
      version: "1.0.0",
      summary: words.summary[language],
      description: sections.map(({ title, text }) => `# ${title}\n\n${text}`).join("\n\n"),
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: baseUrl }],
    tags: usedTags().map(({ name, text }) => ({ name: name[language], description: text[language] })),
    paths,
    components: {
      schemas: withPackages(schemas.components(), morePackages),
      headers: headerComponents(language),
      parameters: parameterComponents(language),
      securitySchemes: describeSecuritySchemes(sessionCookie, language),
    },
  };
}

/** Returns the operations by path, then by method; the named schemas that they use move to `schemas`. */
function describePaths(schemas: JsonSchemas): Record<string, Json> {
  const paths = new Map<string, Json>();
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const path = paths.get(operation.path) ?? {};
    paths.set(operation.path, {
      ...path,
      [operation.method.toLowerCase()]: describeOperation(name as OperationName, operation, schemas),
    });
  }
  return Object.fromEntries(paths);
}

function usedTags(): Tag[] {
  return [...new Set(Object.values<Operation>(operations).map(({ tag }) => tag))];
}

/** Returns the ways in which a caller proves who it is, by the names that `security` of an operation uses. */
function describeSecuritySchemes(sessionCookie: string, language: keyof Words): Json {
  return {
    key: {
      type: "http",
      scheme: "bearer",
      bearerFormat: "svc_…",
      description: words.key[language],
    },
    operator: {
      type: "http",
      scheme: "bearer",
      bearerFormat: "tjo_…",
      description: words.operator[language],
    },
    session: {
      type: "apiKey",
      in: "cookie",
      name: sessionCookie,
      description: words.session[language],
    },
  };
}

function describeOperation(name: OperationName, operation: Operation, schemas: JsonSchemas): Json {
  const parameters = [
    ...describeParameters(operation, { place: "path", schemas }),
    ...describeParameters(operation, { place: "query", schemas }),
    ...headerParameters(operation),
  ];
  return {
    operationId: name,
    tags: [operation.tag.name[schemas.language]],
    summary: operation.summary[schemas.language],
    description: operation.text[schemas.language],
    ...describeAccess(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...describeBody(operation, schemas),
    responses: { ...describeSuccess(operation, schemas), ...describeErrors(operation, schemas) },
  };
}

function describeAccess({ access }: Operation): Json {
  switch (access.kind) {
    case "public":
      return { security: [] };
    case "panel":
      return { security: [{ session: [] }] };
    case "operator":
      return { security: [{ operator: [access.role] }, { session: [] }] };
    case "key":
      return { security: [{ key: [access.scope] }, { session: [] }] };
  }
}

function describeParameters(
  operation: Operation,
  { place, schemas }: { place: "path" | "query"; schemas: JsonSchemas },
): Json[] {
  const { properties, required } = schemas.textFields(place === "path" ? operation.params : operation.query);
  return Object.entries(properties).map(([field, { description, ...schema }]) => ({
    name: field,
    in: place,
    ...(place === "path" || required.includes(field) ? { required: true } : {}),
    description,
    schema,
  }));
}

function describeBody({ body }: Operation, schemas: JsonSchemas): Json {
  switch (body.kind) {
    case "none":
      return {};
    case "json": {
      const content = { schema: schemas.of(body.schema, "input"), example: body.example };
      return { requestBody: { required: true, content: { "application/json": content } } };
    }
    case "upload": {
      const { properties, required } = schemas.textFields(body.fields);
      const file = {
        type: "string",
        contentMediaType: "application/zip",
        description: words.zip[schemas.language],
      };
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
