import assert from "node:assert/strict";
import { test } from "node:test";
import { errorTable } from "../contract/errors.ts";
import { openApiDocument } from "./openapi.ts";
import { commonErrors, type Operation } from "../contract/operation.ts";
import { operations } from "../contract/operations.ts";
import { svcJsonSchema } from "../contract/svc-json-schema.ts";

type Document = { [name: string]: Document };

function documentIn(language: "pt" | "en"): Document {
  const options = { baseUrl: "https://tijolo.test/api", sessionCookie: "tijolo-session", language };
  return openApiDocument(options) as unknown as Document;
}

const document = documentIn("pt");

/** Yields every value below `node` that stands under `key`. */
function* valuesOf(node: unknown, key: string): Generator {
  if (typeof node !== "object" || node === null) return;
  for (const [name, value] of Object.entries(node)) {
    if (name === key && typeof value === "string") yield value;
    yield* valuesOf(value, key);
  }
}

test("every operation of the table stands in the document, and nothing else", () => {
  const described = Object.values(document["paths"] ?? {})
    .flatMap((path) => Object.values(path))
    .map((operation) => String(operation["operationId"]));
  assert.deepEqual(described.sort(), Object.keys(operations).sort());
});

test("each operation has its path parameters, its answer and a response for each of its errors", () => {
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const described = document["paths"]?.[operation.path]?.[operation.method.toLowerCase()];
    assert.ok(described, name);
    const parameters = (described["parameters"] ?? []) as unknown as { name: string; in: string }[];
    const inPath = parameters
      .filter((parameter) => parameter.in === "path")
      .map((parameter) => parameter.name);
    assert.deepEqual(
      inPath,
      [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]),
      name,
    );
    const success = "status" in operation.answer ? operation.answer.status : 200;
    assert.ok(described["responses"]?.[success], `${name} ${success}`);
    for (const code of [...operation.errors, ...commonErrors(operation.access)]) {
      const codes = described["responses"]?.[errorTable[code].status];
      assert.match(JSON.stringify(codes), new RegExp(`\`${code}\``), `${name} ${code}`);
    }
  }
});

test("every reference leads to a component of the document", () => {
  const references = [...valuesOf(document, "$ref")];
  assert.ok(references.includes("#/components/schemas/Project"));
  for (const reference of references) {
    const [, kind = "", name = ""] = /^#\/components\/(\w+)\/([\w-]+)$/.exec(String(reference)) ?? [];
    assert.ok(document["components"]?.[kind]?.[name], String(reference));
  }
});

test("every group, operation, parameter and field has its text, in both languages", () => {
  for (const document of [documentIn("pt"), documentIn("en")]) {
    for (const tag of document["tags"] as unknown as Document[])
      assert.ok(tag["description"], String(tag["name"]));
    for (const [path, methods] of Object.entries(document["paths"] ?? {})) {
      for (const [method, operation] of Object.entries(methods))
        assert.ok(operation["description"], `${method} ${path}`);
    }
    assert.deepEqual([...withoutText(document["components"]?.["schemas"], "")], []);
    assert.deepEqual([...withoutText(document["paths"], "")], []);
  }
});

test("the documents of the two languages differ in every text and in nothing else", () => {
  const texts: [string, string][] = [];
  const english = JSON.parse(JSON.stringify(documentIn("en")));
  compare(document, english, { pointer: "", texts });
  assert.ok(texts.length > 1_000, `only ${texts.length} texts`);
  const same = texts.filter(([portuguese, english]) => portuguese === english).map(([text]) => text);
  // Examples: a notice and a domain's error, as a person who reads Portuguese has them.
  const examples = [
    "O projeto passou de 256 MB e foi encerrado.",
    "O registro que prova que o domínio é seu ainda não aparece no DNS.",
  ];
  assert.deepEqual([...new Set(same)].sort(), ["Cluster", "Id.", ...examples, "Sites."]);
});

const textKeys = ["description", "summary", "message"];

/** Collects the texts of both documents that stand in the same place; fails where anything else differs. */
function compare(
  portuguese: unknown,
  english: unknown,
  { pointer, texts }: { pointer: string; texts: [string, string][] },
): void {
  if (typeof portuguese === "string" && typeof english === "string" && isText(pointer) && portuguese !== "") {
    texts.push([portuguese, english]);
  } else if (typeof portuguese === "object" && portuguese !== null) {
    assert.deepEqual(Object.keys(english as object), Object.keys(portuguese), pointer);
    for (const [name, value] of Object.entries(portuguese))
      compare(value, (english as Document)[name], { pointer: `${pointer}/${name}`, texts });
  } else {
    assert.deepEqual(english, portuguese, pointer);
  }
}

function isText(pointer: string): boolean {
  return textKeys.some((key) => pointer.endsWith(`/${key}`)) || /\/tags\/\d+(\/name)?$/.test(pointer);
}

/** Yields every property and parameter below `node` that has no description. */
function* withoutText(node: unknown, place: string): Generator<string> {
  if (typeof node !== "object" || node === null) return;
  const { properties } = node as { properties?: Record<string, { description?: string }> };
  for (const [name, property] of Object.entries(properties ?? {}))
    if (!property.description) yield `${place}.${name}`;
  for (const [name, value] of Object.entries(node)) {
    if (name === "parameters" && Array.isArray(value)) {
      for (const parameter of value)
        if (!("$ref" in parameter) && !parameter.description) yield `${place} parameter ${parameter.name}`;
    }
    if (!["example", "examples", "mapping"].includes(name)) yield* withoutText(value, `${place}/${name}`);
  }
}

test("a project's schema has all of its fields required, but for one that only some sites have", () => {
  const project = document["components"]?.["schemas"]?.["Project"] as unknown as {
    required: string[];
    properties: object;
  };
  assert.deepEqual([...project.required, "spa"].toSorted(), Object.keys(project.properties).sort());
  assert.ok(project.required.includes("internalHost"));
});

test("the document is JSON and no schema carries a stray definition", () => {
  const text = JSON.stringify(document);
  assert.deepEqual(JSON.parse(text), document);
  assert.doesNotMatch(text, /\$defs|"\$schema"/);
});

test("the schema of svc.json describes every field and refuses unknown ones", () => {
  const schema = svcJsonSchema() as unknown as {
    properties: Record<string, { description?: string }>;
    additionalProperties: boolean;
  };
  assert.equal(schema.additionalProperties, false);
  assert.ok(Object.keys(schema.properties).includes("systemPackages"));
  for (const [name, property] of Object.entries(schema.properties)) assert.ok(property.description, name);
});
