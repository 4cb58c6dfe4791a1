/** The parts of the OpenAPI document that the page shows. */

export interface ApiDocument {
  info: { title: string; version: string };
  servers: readonly { url: string }[];
  tags: readonly { name: string; description?: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  components: {
    schemas: Readonly<Record<string, Schema>>;
    parameters: Readonly<Record<string, Parameter>>;
    securitySchemes: { session: { name: string } };
  };
}

export interface ApiOperation {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  security: readonly {
    key?: readonly string[];
    session?: readonly string[];
    operator?: readonly string[];
  }[];
  parameters?: readonly (Parameter | { $ref: string })[];
  requestBody?: { content: Readonly<Record<string, { schema: Schema; example?: unknown }>> };
  responses: Readonly<Record<string, ApiResponse>>;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface ApiResponse {
  description: string;
  content?: Readonly<Record<string, { schema: Schema }>>;
}

export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  examples?: readonly unknown[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  contentMediaType?: string;
  contentSchema?: Schema;
}

/** Returns the name at the end of a reference. */
export function nameOfRef(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}
