import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError, operations, svcJson, uploadForm } from "@tijolo/protocol";
import { z } from "zod";
import { problemOf } from "./input-problem.ts";
import { inputParsing } from "./input-reason.ts";

const bodyOf = (name: "setVariables" | "createKey" | "signUp" | "signInTwoFactor" | "updateProject") =>
  operations[name].body.schema;
const key = { name: "k", password: "p" };

const cases: [schema: z.ZodType, input: unknown, pt: string, en: string][] = [
  [
    bodyOf("setVariables"),
    { variables: { SVC_X: "1" } },
    "Campo: variables.SVC_X (é um nome do próprio serviço).",
    "Field: variables.SVC_X (is a name of the service's own).",
  ],
  [
    bodyOf("setVariables"),
    { variables: { "1A": "1" } },
    "Campo: variables.1A (usa letras, números e _, sem número no começo).",
    "Field: variables.1A (must be letters, digits and _, without a digit at its beginning).",
  ],
  [
    bodyOf("setVariables"),
    { variables: { A: "a\0b" } },
    "Campo: variables.A (contém NUL).",
    "Field: variables.A (holds NUL).",
  ],
  [
    bodyOf("setVariables"),
    { variables: { A: "\ud800" } },
    "Campo: variables.A (contém um caractere pela metade).",
    "Field: variables.A (holds half a character).",
  ],
  [
    bodyOf("signUp"),
    { name: "Ana", email: "ana", password: "1234567890" },
    "Campo: email (deve ser um e-mail, como ana@exemplo.com).",
    "Field: email (must be an e-mail address, like ana@example.com).",
  ],
  [
    bodyOf("signUp"),
    { name: "  ", email: "a@b.com", password: "1234567890" },
    "Campo: name (de 1 a 80 caracteres, sem caracteres de controle).",
    "Field: name (1 to 80 characters, without control characters).",
  ],
  [
    bodyOf("signInTwoFactor"),
    { code: "12" },
    "Campo: code (deve ter 6 números).",
    "Field: code (must be 6 digits).",
  ],
  [bodyOf("signInTwoFactor"), {}, "Corpo: envie code ou recoveryCode.", "Body: send code or recoveryCode."],
  [
    bodyOf("createKey"),
    key,
    "Corpo: diga level (read ou write) ou ao menos uma permissão em scopes.",
    "Body: give level (read or write) or at least one of scopes.",
  ],
  [
    bodyOf("createKey"),
    { ...key, scopes: [] },
    "Corpo: diga level (read ou write) ou ao menos uma permissão em scopes.",
    "Body: give level (read or write) or at least one of scopes.",
  ],
  [
    bodyOf("createKey"),
    { ...key, scopes: ["x"] },
    "Campo: scopes.0 (não é um dos valores aceitos, que /api/docs lista).",
    "Field: scopes.0 (is none of the accepted values, which /api/docs lists).",
  ],
  [
    bodyOf("createKey"),
    { ...key, level: "read", name: "" },
    "Campo: name (no mínimo 1 caractere).",
    "Field: name (at least 1 character).",
  ],
  [bodyOf("createKey"), { level: "read" }, "Campo: name (é obrigatório).", "Field: name (is required)."],
  [bodyOf("updateProject"), {}, "Corpo: envie ao menos um campo.", "Body: send at least one field."],
  [bodyOf("updateProject"), null, "Corpo: deve ser um objeto.", "Body: must be an object."],
  [svcJson, { version: 22 }, "Campo: version (deve ser um texto).", "Field: version (must be a text)."],
  [svcJson, { nothing: 1 }, "Campo: nothing (não existe aqui).", "Field: nothing (does not exist here)."],
  [svcJson, { language: null }, "Campo: language (deve ser um texto).", "Field: language (must be a text)."],
  [
    svcJson,
    { entry: "../a.js" },
    "Campo: entry (não pode sair da pasta do projeto).",
    "Field: entry (must not lead out of the project's folder).",
  ],
  [
    svcJson,
    { entry: "/a.js" },
    "Campo: entry (deve ser relativo à pasta do projeto).",
    "Field: entry (must be relative to the project's folder).",
  ],
  [
    svcJson,
    { entry: "-a.js" },
    "Campo: entry (não pode começar com -).",
    "Field: entry (must not begin with -).",
  ],
  [
    uploadForm,
    { memoryMb: "much" },
    "Campo: memoryMb (deve ser um número inteiro).",
    "Field: memoryMb (must be a whole number).",
  ],
  [
    operations.listActivity.query,
    { limit: "201" },
    "Campo: limit (no máximo 200).",
    "Field: limit (at most 200).",
  ],
  [
    operations.listActivity.query,
    { limit: "x" },
    "Campo: limit (deve ser um número inteiro de 1 a 200).",
    "Field: limit (must be a whole number from 1 to 200).",
  ],
  [
    operations.listProjects.query,
    { cursor: "abc" },
    "Campo: cursor (deve ser um id: 26 letras maiúsculas e números).",
    "Field: cursor (must be an id: 26 capital letters and digits).",
  ],
  [
    operations.streamLogs.query,
    { since: "yesterday" },
    "Campo: since (deve ser uma data e hora em UTC, como 2026-01-31T12:00:00Z).",
    "Field: since (must be a time in UTC, like 2026-01-31T12:00:00Z).",
  ],
];

test("what breaks a schema is named, with what would be right, in both languages", () => {
  for (const [schema, input, pt, en] of cases) {
    const { error } = schema.safeParse(input, inputParsing);
    assert.ok(error !== undefined, JSON.stringify(input));
    assert.deepEqual(problemOf(error, { pt: "Corpo", en: "Body" }).detail, { pt, en });
  }
});

test("every rule that an operation's input has can be told to a person", () => {
  const seen = new Set<z.core.$ZodType>();
  let rules = 0;
  const look = (schema: z.core.$ZodType, place: string): void => {
    if (seen.has(schema)) return;
    seen.add(schema);
    const { checks = [], ...rest } = schema._zod.def as unknown as {
      checks?: readonly z.core.$ZodCheck[];
    } & Record<string, unknown>;
    for (const check of checks) {
      const { def } = check._zod as unknown as {
        def: { check: string; format?: string; error?: (issue: object) => string };
      };
      if (def.check !== "custom" && !(def.check === "string_format" && def.format === "regex")) continue;
      rules += 1;
      const issue = {
        code: def.check === "custom" ? "custom" : "invalid_format",
        format: "regex",
        path: [place],
        message: def.error?.({}) ?? "",
      };
      const { detail } = problemOf(new z.ZodError([issue as unknown as z.core.$ZodIssue]), {
        pt: "",
        en: "",
      });
      assert.match(detail?.pt ?? "", /\(.+\)\.$/, place);
    }
    for (const [name, part] of Object.entries(rest)) lookInto(part, `${place}.${name}`);
  };
  const lookInto = (part: unknown, place: string): void => {
    if (part instanceof z.core.$ZodType) look(part, place);
    else if (Array.isArray(part)) part.forEach((each) => lookInto(each, place));
    else if (typeof part === "object" && part !== null && Object.getPrototypeOf(part) === Object.prototype)
      for (const [name, each] of Object.entries(part)) lookInto(each, `${place}.${name}`);
  };
  for (const [name, { params, query, body }] of Object.entries(operations))
    lookInto({ params, query, body: { ...body } }, name);
  lookInto(svcJson, "svc.json");
  assert.ok(rules >= 15, `${rules}`);
});

test("a refused field is named in the text also where nothing more is said of it", () => {
  const { message } = new AppError("invalid_request", { extra: { field: "cursor" } }).toBody("en");
  assert.match(String(message), / Field: cursor\.$/);
});
