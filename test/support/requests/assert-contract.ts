/**
 * Asserts what every response of the HTTP interface has in common, whatever was requested (spec: "Errors";
 * api.md: "Conventions").
 */

import assert from "node:assert/strict";
import {
  AppError,
  commonErrors,
  errorTable,
  isErrorCode,
  operations,
  type Operation,
  type OperationName,
} from "@tijolo/protocol";
import type { ApiAnswer } from "./api-request.ts";

/** Asserts that the answer is one that the operations table allows for the operation. */
export function assertContract(name: OperationName, answer: ApiAnswer): void {
  const operation: Operation = operations[name];
  assert.match(answer.headers.get("x-request-id") ?? "", /^[0-9A-HJKMNP-TV-Z]{26}$/);
  if (answer.status >= 400) {
    assertErrorBody(answer);
    const allowed: readonly string[] = [...operation.errors, ...commonErrors(operation.access)];
    assert.ok(
      allowed.includes(answer.code ?? ""),
      `${name} answered ${answer.code}, which its table entry does not name`,
    );
    return;
  }
  switch (operation.answer.kind) {
    case "json":
      assert.equal(answer.status, operation.answer.status);
      assertDocument(operation.answer.schema.safeParse(answer.json), answer);
      return;
    case "empty":
      assert.deepEqual([answer.status, answer.text], [204, ""]);
      return;
    case "events":
      assert.equal(answer.status, 200);
      if (answer.headers.get("content-type")?.startsWith("text/event-stream") === true) return;
      assertDocument(operation.answer.page.safeParse(answer.json), answer);
      return;
    case "document":
      assert.deepEqual(
        [answer.status, answer.headers.get("content-type")],
        [200, operation.answer.contentType],
      );
      assert.ok(answer.text.length > 0);
      return;
    case "text":
      assert.deepEqual(
        [answer.status, answer.headers.get("content-type")],
        [200, operation.answer.contentType],
      );
      assert.match(answer.headers.get("content-disposition") ?? "", /^attachment; filename="[\w.-]+"$/);
      return;
    case "bytes":
      assert.ok([200, 206].includes(answer.status));
      assert.equal(answer.headers.get("content-type"), operation.answer.contentType);
      assert.match(answer.headers.get("etag") ?? "", /^"[0-9a-f]{64}"$/);
  }
}

/** Asserts a refusal in the response of any client. */
export function assertRefused(
  answer: Pick<ApiAnswer, "status" | "code">,
  status: number,
  code: string,
): void {
  assert.deepEqual([answer.status, answer.code], [status, code]);
}

/** Asserts exactly the spec's shape: the three fields, and those extra fields that the code may have. */
export function assertErrorBody(answer: ApiAnswer, language: "pt" | "en" = "pt"): void {
  assert.match(answer.headers.get("content-type") ?? "", /^application\/json\b/);
  const { status, code, message, ...extra } = answer.json as Record<string, unknown>;
  assert.equal(status, "error");
  assert.ok(typeof code === "string" && isErrorCode(code), `${String(code)} is no code of the table`);
  const { text, definition } = {
    text: new AppError(code).toBody(language).message,
    definition: errorTable[code],
  };
  assert.ok(String(message).startsWith(String(text)), `${code} says ${String(message)}`);
  assert.ok(
    code === "invalid_zip" ? [413, 422].includes(answer.status) : answer.status === definition.status,
    `${code} came with ${answer.status}`,
  );
  for (const name of Object.keys(extra))
    assert.ok((definition.extra as string[]).includes(name), `${code} carries ${name}`);
  assert.equal(answer.headers.has("retry-after"), answer.status === 429);
  assert.equal(answer.headers.has("www-authenticate"), answer.status === 401);
}

function assertDocument(parsed: { success: boolean; error?: Error }, answer: ApiAnswer): void {
  assert.match(answer.headers.get("content-type") ?? "", /^application\/json\b/);
  assert.ok(
    parsed.success,
    `the answer breaks its schema: ${parsed.error?.message} in ${answer.text.slice(0, 500)}`,
  );
}
