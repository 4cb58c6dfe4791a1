import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "@tijolo/protocol/client";
import { fieldError, isErrorOf } from "./field-error.ts";

const refusal = (code: string, message: string, extra: Record<string, unknown> = {}) =>
  new ApiError({ code, status: 400, message, extra, retryAfterSeconds: null });

test("at a field stands why it was refused, without what is for programs", () => {
  const error = refusal(
    "invalid_request",
    "A requisição tem um parâmetro fora do formato. Campo: name (de 1 a 80 caracteres, sem (nada) mais).",
    { field: "name" },
  );
  assert.deepEqual(fieldError(error, "name"), { error: "De 1 a 80 caracteres, sem (nada) mais." });
  assert.deepEqual(fieldError(error, "email"), {});
});

test("a wrong password stands at its field, as the server says it; other failures at none", () => {
  const error = refusal("wrong_password", "A senha está errada.");
  assert.deepEqual(fieldError(error, "currentPassword"), { error: "A senha está errada." });
  assert.ok(!isErrorOf(error, "newPassword") && !isErrorOf(refusal("internal_error", "x"), "password"));
  assert.ok(!isErrorOf(new Error("offline"), "password") && !isErrorOf(null, "password"));
});
