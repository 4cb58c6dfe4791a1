/** Checks answers against the API description that central serves: status, headers and body. */

import assert from "node:assert/strict";
import { operations, type OperationName } from "@tijolo/protocol";
import type { ApiAnswer } from "./api-request.ts";
import { SchemaValidator } from "./schema-validator.ts";

interface Described {
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, unknown>;
}

interface DescribedHeader {
  required?: boolean;
  schema: { type?: string };
}

export class DescribedAnswers {
  readonly validator: SchemaValidator;

  constructor(document: object) {
    this.validator = new SchemaValidator(document);
  }

  assert(name: OperationName, answer: ApiAnswer): void {
    const { path, method } = operations[name];
    const place = ["paths", path, method.toLowerCase(), "responses", answer.status];
    const response = this.validator.find(place) as Described | undefined;
    assert.ok(response, `${name} answered ${answer.status}, which its description does not name`);
    this.#assertHeaders(answer, response);
    const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
    if (response.content === undefined) {
      assert.equal(answer.text, "", `${name} ${answer.status} has a body that its description does not name`);
      return;
    }
    assert.ok(
      response.content[type],
      `${name} answered ${type || "no type"}, which its description does not name`,
    );
    const check = this.validator.at(this.validator.pointer([...place, "content", type, "schema"]));
    const value = type.endsWith("json") ? answer.json : answer.text;
    assert.deepEqual(
      check(value),
      [],
      `${name} ${answer.status} breaks its description: ${answer.text.slice(0, 300)}`,
    );
  }

  #assertHeaders(answer: ApiAnswer, { headers = {} }: Described): void {
    for (const [name, { $ref }] of Object.entries(headers)) {
      const { required, schema } = this.validator.find($ref.slice(2).split("/")) as DescribedHeader;
      const value = answer.headers.get(name);
      if (value === null) {
        assert.ok(required !== true, `${name} is missing`);
        continue;
      }
      const check = this.validator.at(`${$ref.slice(1)}/schema`);
      assert.deepEqual(check(schema.type === "integer" ? Number(value) : value), [], `${name}: ${value}`);
    }
  }
}
