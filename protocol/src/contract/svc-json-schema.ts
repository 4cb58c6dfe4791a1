/**
 * Builds the JSON Schema of `svc.json` for editors: every field with its line, and the rules between fields
 * that hold on every plan.
 */

import { z } from "zod";
import { fieldWordsOf } from "./described.ts";
import { defaultVersions, languages, languageVersions, type Language } from "../nouns/language.ts";
import { tidySchema, type Json } from "../openapi/tidy-schema.ts";
import { getPlan, minimumMemoryMb } from "../nouns/plan.ts";
import { svcJson } from "../project/project-config.ts";
import { defaultOnFailure, onFailureChoices } from "../project/on-failure.ts";
import { runsByItself } from "../project/start-command.ts";
import { allowedPackages } from "../project/system-package.ts";
import { visiblePattern } from "../values/visible-name.ts";

/** Rules that the parser has in code, field by field. */
const stricter: { readonly [Field in keyof typeof svcJson.shape]?: Json } = {
  name: {
    pattern: `^(?=.*${visiblePattern})[^\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]*$`,
  },
  type: { enum: ["bot", "site", null], default: "bot" },
  language: { type: "string", enum: languages },
  installCommand: { default: null },
  memoryMb: { examples: [256, 512, 1024] },
  subdomain: { pattern: "^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$", minLength: 3, maxLength: 32 },
  port: { default: 8080 },
  spa: { default: false },
  systemPackages: { default: [] },
  onFailure: { enum: [...onFailureChoices, null], default: defaultOnFailure },
};

/**
 * Returns the schema published at `/svc.schema.json`, in the draft that editors support best, with the system
 * packages that the operator allows beside the specification's. What it refuses, an upload refuses. Only the
 * upload reports what the account's plan, other projects or the code itself decide: memory that is left, a
 * reserved subdomain, a command that contradicts `entry`.
 */
export function svcJsonSchema(morePackages: readonly string[] = []): Json {
  const { $schema, properties, additionalProperties } = z.toJSONSchema(svcJson, {
    io: "input",
    target: "draft-7",
    unrepresentable: "any",
  }) as Json & { properties: Record<string, Json> };
  const fields = Object.entries(fieldWordsOf(svcJson) ?? {}).map(([name, words]) => {
    const { maxLength, ...property } = nullAsType(tidySchema(properties[name] ?? {}));
    const field =
      name === "language" ? {} : { ...property, ...(maxLength === undefined ? {} : { maxLength }) };
    const items =
      name === "systemPackages" ? { items: { type: "string", enum: allowedPackages(morePackages) } } : {};
    return [name, { description: words.pt, ...field, ...stricter[name as keyof typeof stricter], ...items }];
  });
  return {
    $schema,
    title: "svc.json",
    description:
      "Configuração de um projeto do Tijolo. Um campo que sai do arquivo, ou que é null, volta ao padrão.",
    type: "object",
    properties: Object.fromEntries(fields) as Json,
    required: ["language"],
    additionalProperties,
    allOf: [...languages.map(rulesOfLanguage), rulesOfBot, rulesOfSite],
    examples: [
      { language: "node", entry: "index.js" },
      { language: "python", type: "site", command: "gunicorn app:app", memoryMb: 512 },
      { language: "static", root: "public" },
      { language: "static", root: "dist", spa: true },
    ],
  };
}

/** Writes "this, or null" as one schema with two types: all rules for texts and numbers pass null by. */
function nullAsType({ anyOf, ...rest }: Json): Json {
  const variants = Array.isArray(anyOf) ? (anyOf as Json[]) : [];
  const [value, none] = variants;
  if (value === undefined || none?.["type"] !== "null" || variants.length !== 2)
    return anyOf === undefined ? rest : { anyOf, ...rest };
  const { allOf, ...plain } = value;
  const rules = Array.isArray(allOf)
    ? { allOf: (allOf as Json[]).map(({ type: _type, ...rule }) => rule) }
    : {};
  return { ...plain, ...rules, ...rest, type: [value["type"], "null"] };
}

function rulesOfLanguage(language: Language): Json {
  const version = { enum: [...languageVersions[language], null], default: defaultVersions[language] };
  return when(
    { language: { const: language } },
    language === "static"
      ? { properties: { version, ...staticFields } }
      : {
          properties: { version, root: { type: "null" }, spa: { enum: [false, null] } },
          ...(runsByItself({ language }) ? {} : { anyOf: [hasEntry, hasCommand, ...siteOf(language)] }),
        },
  );
}

/** Returns the schema of a site that needs neither entry nor command. */
function siteOf(language: Language): Json[] {
  return runsByItself({ language, type: "site" })
    ? [{ required: ["type"], properties: { type: { const: "site" } } }]
    : [];
}

const hasEntry: Json = { required: ["entry"], properties: { entry: { type: "string", minLength: 1 } } };

const hasCommand: Json = {
  required: ["command"],
  properties: { command: { type: "string", pattern: "\\S" } },
};

const staticFields: Json = {
  type: { enum: ["site", null], default: "site" },
  entry: { enum: ["", null] },
  command: { enum: ["", null] },
  systemPackages: { maxItems: 0 },
  memoryMb: { minimum: leastMemoryMb({ type: "site", language: "static" }) },
};

/** Rules of a bot; without `type`, every language but static makes one. */
const rulesOfBot: Json = {
  if: { properties: { type: { enum: ["bot", null] }, language: { not: { const: "static" } } } },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: {
    properties: {
      port: { type: "null" },
      subdomain: false,
      memoryMb: { minimum: leastMemoryMb({ type: "bot", language: "node" }) },
    },
  },
};

const rulesOfSite: Json = {
  if: { properties: { type: { const: "site" }, language: { not: { const: "static" } } }, required: ["type"] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { properties: { memoryMb: { minimum: leastMemoryMb({ type: "site", language: "node" }) } } },
};

function when(properties: Json, then: Json): Json {
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  return { if: { properties, required: Object.keys(properties) }, then };
}

/** Returns the least memory on the plan that asks least. */
function leastMemoryMb(project: { type: "bot" | "site"; language: string }): number {
  return minimumMemoryMb(getPlan("Free"), project);
}
