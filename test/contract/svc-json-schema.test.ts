/** The published JSON Schema of svc.json says of a file what an upload of it says. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv } from "ajv";
import { languages, languageVersions, systemPackages } from "@tijolo/protocol";
import { apiRequest } from "../support/requests/api-request.ts";
import { multipartType, uploadBody } from "../support/requests/multipart.ts";
import { startFiles } from "../support/archives/start-files.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { zipOf } from "../support/archives/zip-of.ts";

const node = { language: "node", command: "sim run" };
const site = { ...node, type: "site", memoryMb: 512 };

const accepted: Record<string, unknown>[] = [
  { language: "node", entry: "index.js" },
  { language: "node", command: "npm start" },
  { language: "node", command: "", entry: "src/main.ts" },
  { ...node, $schema: "https://tijolo.dev/api/svc.schema.json" },
  { ...node, name: "Meu bot", description: "faz café ☕\ne pão" },
  { ...node, name: " x " },
  { ...node, name: "👩‍💻" },
  { ...node, name: "שלום \u200f1" },
  { ...node, type: "bot", memoryMb: 256 },
  { ...node, installCommand: null },
  { ...node, installCommand: "" },
  { ...node, systemPackages: [] },
  { ...node, systemPackages: ["git", "git", "curl"] },
  { ...node, systemPackages: [...systemPackages, "git"] },
  { ...site, port: 1 },
  { ...site, port: 65_535, subdomain: "a-1" },
  { ...site, subdomain: "x".repeat(32) },
  { language: "static" },
  { language: "static", root: "" },
  { language: "static", type: "site", root: "public/site", memoryMb: 64, subdomain: "pagina", port: 3000 },
  { ...node, entry: "" },
  { language: "go", entry: "" },
  { language: "static", entry: "" },
  { language: "static", root: "dist", spa: true },
  { language: "static", spa: false },
  { language: "static", spa: null },
  { ...node, spa: false },
  { language: "static", installCommand: "" },
  { language: "static", installCommand: "npm ci && npm run build" },
  { language: "static", command: "", installCommand: null, systemPackages: [], version: "" },
  { language: "go" },
  { language: "go", entry: "cmd/bot/main.go", command: "./out/app" },
  { language: "dotnet" },
  { language: "elixir" },
  { language: "php", type: "site", memoryMb: 512 },
  { language: "php", entry: "src/my bot (2).php" },
  { ...node, description: null, type: null, version: null, entry: null, installCommand: null, root: null },
  { ...node, memoryMb: null, port: null, systemPackages: null, onFailure: null },
  { language: "node", command: null, entry: "index.js" },
  { language: "go", entry: null, command: null },
  { language: "static", type: null, version: null, entry: null, command: null, root: null },
  { ...site, memoryMb: null, port: null },
  { ...node, onFailure: "keep" },
  { language: "static", onFailure: "return" },
  ...languages.flatMap((language) =>
    languageVersions[language].map((version) => ({
      language,
      version,
      ...(language === "static" ? {} : { command: "sim run" }),
    })),
  ),
];

const refused: unknown[] = [
  null,
  [],
  "node",
  {},
  { command: "npm start" },
  { language: "node" },
  { language: "node", command: "" },
  { language: "node", command: "  " },
  { language: "python", version: "3.13" },
  { language: "cobol", command: "run" },
  { language: "toString", command: "run" },
  { language: 24, command: "run" },
  { ...node, version: "18" },
  { ...node, version: "3.13" },
  { ...node, version: 24 },
  { ...node, version: "" },
  { ...node, unknown: true },
  { ...node, start: true },
  JSON.parse('{"language":"node","command":"sim run","__proto__":1}'),
  { ...node, name: "" },
  { ...node, name: "   " },
  { ...node, name: "x".repeat(41) },
  { ...node, name: "a\nb" },
  { ...node, name: "\u200b" },
  { ...node, name: " \u2800\u3164\ufe0f " },
  { ...node, name: "a\u202eb" },
  { ...node, name: "\u2066a\u2069" },
  { ...node, name: null },
  { ...node, language: null },
  { ...site, subdomain: null },
  { language: "node", entry: null },
  { language: "node", command: null },
  { ...node, onFailure: "stop" },
  { language: "static", systemPackages: ["ffmpeg"] },
  { ...node, systemPackages: ["ffmpeg"] },
  { ...node, systemPackages: [null] },
  { ...node, description: "x".repeat(201) },
  { ...node, description: "a\u0000b" },
  { ...node, type: "worker" },
  { language: "node", entry: "" },
  { language: "node", entry: "", command: "" },
  { ...node, entry: "/etc/passwd" },
  { ...node, entry: "a/../../b" },
  { ...node, entry: "..\\b" },
  { ...node, entry: "\u2028/../b" },
  { language: "node", entry: "-v" },
  { language: "php" },
  { language: "php", type: "bot" },
  { ...node, command: "x".repeat(1001) },
  { ...node, command: "a\u0000b" },
  { ...node, command: ["npm", "start"] },
  { ...node, installCommand: 1 },
  { ...node, memoryMb: 127 },
  { ...node, memoryMb: 256.5 },
  { ...node, memoryMb: "256" },
  { ...node, memoryMb: -1 },
  { ...node, root: "public" },
  { ...node, port: 8080 },
  { ...node, subdomain: "loja" },
  { ...node, type: "bot", port: 8080 },
  { ...node, systemPackages: ["bash"] },
  { ...node, systemPackages: "git" },
  { ...site, memoryMb: 511 },
  { ...site, port: 0 },
  { ...site, port: 65_536 },
  { ...site, subdomain: "ab" },
  { ...site, subdomain: "-abc" },
  { ...site, subdomain: "abc-" },
  { ...site, subdomain: "ABC" },
  { ...site, subdomain: "x".repeat(33) },
  { ...site, subdomain: "a.b.c" },
  { language: "static", type: "bot" },
  { language: "static", command: "npm start" },
  { language: "static", entry: "index.html" },
  { language: "static", systemPackages: ["git"] },
  { ...node, spa: true },
  { language: "static", spa: "true" },
  { language: "static", version: "1" },
  { language: "static", memoryMb: 63 },
  { language: "static", root: "../x" },
  { language: "static", root: "\u2028/../x" },
];

/**
 * Configurations whose fault depends on the plan, on other projects or on reserved names: a file alone cannot
 * tell.
 */
const onlyRefusedByUpload: unknown[] = [
  { ...node, memoryMb: 128 },
  { ...node, memoryMb: 2_000_000 },
  { ...node, name: "\ud800" },
  { ...node, name: "\u{e0041}" },
  { ...site, subdomain: "www" },
  { ...site, subdomain: "a-1" },
  { language: "node", command: "node a.js", entry: "b.js" },
];

test("the published schema and an upload say the same of each svc.json", async () => {
  await using cluster = await TestCluster.create();
  const account = await cluster.createAccount({ plan: "Empresas" });
  const published = await apiRequest(cluster.centralUrl, { method: "GET", path: "/api/svc.schema.json" });
  assert.match(published.headers.get("content-type") ?? "", /^application\/schema\+json/);
  const isAllowed = new Ajv({ strict: true, strictTypes: false, strictRequired: false }).compile(
    published.json as object,
  );
  const upload = async (svcJson: unknown) => {
    const files = { "index.js": "", "index.html": "", ...startFiles(svcJson) };
    const zip = await zipOf({ ...files, "svc.json": JSON.stringify(svcJson) });
    const request = {
      method: "POST",
      path: "/api/projects",
      token: account.key,
      headers: multipartType,
      body: uploadBody(zip),
    };
    return apiRequest(cluster.centralUrl, request);
  };

  for (const svcJson of accepted) {
    const answer = await upload(svcJson);
    assert.equal(answer.status, 201, `${JSON.stringify(svcJson)}: ${answer.text}`);
    assert.ok(isAllowed(svcJson), `${JSON.stringify(svcJson)}: ${JSON.stringify(isAllowed.errors)}`);
  }
  for (const svcJson of refused) {
    const answer = await upload(svcJson);
    assert.equal(answer.status, 422, `${JSON.stringify(svcJson)}: ${answer.text}`);
    assert.equal(isAllowed(svcJson), false, `the schema allows ${JSON.stringify(svcJson)}`);
  }
  for (const svcJson of onlyRefusedByUpload) {
    assert.ok(isAllowed(svcJson), `${JSON.stringify(svcJson)}: ${JSON.stringify(isAllowed.errors)}`);
    const answer = await upload(svcJson);
    assert.ok(answer.status === 422 || answer.status === 409, `${JSON.stringify(svcJson)}: ${answer.status}`);
  }
});
