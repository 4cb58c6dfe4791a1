/**
 * The API description holds against tools that did not come from here: a strict linter and a JSON Schema
 * validator.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { openApiDocument } from "@tijolo/protocol";
import { SchemaValidator } from "../support/requests/schema-validator.ts";

type Node = { [name: string]: Node };

const document = openApiDocument({ baseUrl: "https://tijolo.dev/api", sessionCookie: "tijolo-session" });

async function lint(source: object): Promise<string[]> {
  const problems = await lintFromString({
    source: JSON.stringify(source),
    config: await createConfig({ extends: ["recommended-strict"] }),
  });
  return problems.map(
    ({ ruleId, message, location }) =>
      `${ruleId}: ${message} (${location.map(({ pointer }) => pointer).join(" ")})`,
  );
}

test("a strict linter has nothing to say", async () => {
  assert.deepEqual(await lint(document), []);
});

test("the linter does find what is wrong", async () => {
  const broken = structuredClone(document) as unknown as Node;
  delete broken["paths"]?.["/projects"]?.["get"]?.["operationId"];
  Object.assign(broken["components"]?.["schemas"] ?? {}, { Unused: { type: "nothing" } });
  const problems = (await lint(broken)).map((problem) => problem.split(":", 1)[0]);
  for (const rule of ["operation-operationId", "no-unused-components", "struct"])
    assert.ok(problems.includes(rule), rule);
});

test("every schema of the document is a valid JSON Schema, and its examples keep it", () => {
  const validator = new SchemaValidator(document);
  let examples = 0;
  for (const pointer of schemaPointers(document)) {
    const schema = validator.at(pointer);
    for (const example of validator.examplesAt(pointer)) {
      examples++;
      assert.deepEqual(schema(example), [], `${pointer}: ${JSON.stringify(example)}`);
    }
  }
  assert.ok(examples > 40, `only ${examples} examples`);
});

test("every example of a body keeps the body's schema", () => {
  const validator = new SchemaValidator(document);
  let bodies = 0;
  for (const [path, methods] of Object.entries((document as unknown as Node)["paths"] ?? {})) {
    for (const [method, operation] of Object.entries(methods)) {
      const content = operation["requestBody"]?.["content"]?.["application/json"];
      if (content === undefined) continue;
      bodies++;
      assert.ok(content["example"], `${method} ${path} has no example`);
      const pointer = ["paths", path, method, "requestBody", "content", "application/json", "schema"];
      assert.deepEqual(validator.at(validator.pointer(pointer))(content["example"]), [], `${method} ${path}`);
    }
  }
  assert.ok(bodies > 10);
});

test("what is refused whatever the account is refused by the document too", () => {
  const validator = new SchemaValidator(document);
  const patch = validator.at("/components/schemas/ProjectPatch");
  assert.deepEqual(patch({ name: "x" }), []);
  assert.notDeepEqual(patch({}), []);
  const place = [
    "paths",
    "/projects/{id}/variables",
    "put",
    "requestBody",
    "content",
    "application/json",
    "schema",
  ];
  const variables = validator.at(validator.pointer(place));
  for (const name of ["PORTA", "HOSTNAME", "_SVC_A", "PORT_2"])
    assert.deepEqual(variables({ variables: { [name]: "" } }), [], name);
  for (const name of ["PORT", "HOST", "SVC_A", "1A"])
    assert.notDeepEqual(variables({ variables: { [name]: "" } }), [], name);
});

test("an example that breaks its schema is found", () => {
  const validator = new SchemaValidator(document);
  const check = validator.at("/components/schemas/Project");
  const [example] = validator.examplesAt("/components/schemas/Project");
  assert.deepEqual(check(example), []);
  assert.notDeepEqual(check({ ...(example as object), internalHost: "svc-UPPER000" }), []);
  assert.notDeepEqual(check({ ...(example as object), more: 1 }), []);
  assert.notDeepEqual(check({ ...(example as object), createdAt: "2026-01-01T12:00:00Z" }), []);
});

/** Yields where schemas stand: components, and `schema` below paths and headers. */
function* schemaPointers(node: unknown, pointer = ""): Generator<string> {
  if (typeof node !== "object" || node === null) return;
  for (const [name, value] of Object.entries(node)) {
    const place = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (name === "schema" || pointer === "/components/schemas") yield place;
    else if (name !== "example" && name !== "examples") yield* schemaPointers(value, place);
  }
}
