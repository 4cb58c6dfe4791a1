import assert from "node:assert/strict";
import { test } from "node:test";
import { changed, draftOf, fieldsOf, problemsOf, type Room } from "./project-draft.ts";
import type { Inspection } from "./worker/messages.ts";

const inspection: Inspection = {
  kind: "folder",
  name: "minha pasta",
  fileCount: 1,
  totalBytes: 1,
  largest: [],
  leftOut: [],
  restored: [],
  dotenv: null,
  isDotenvIgnored: true,
  svcJson: null,
  proposal: { config: { language: "node", entry: "index.js", type: "bot" }, fields: [] },
};
const withSvcJson: Inspection = {
  ...inspection,
  proposal: null,
  svcJson: { config: { language: "node", entry: "index.js", memoryMb: 512 } },
};
const quota = (free: number) => ({ limit: 10, used: 0, free });
const room = (change: Partial<Room["account"]> = {}, sites = 2): Room => ({
  plan: { name: "Block", sites, zipMb: 100 },
  account: { memoryMb: quota(1_024), projects: quota(1), sites: quota(1), suspendedAt: null, ...change },
});

test("without an svc.json all that has a value is sent, with one only what differs from it", () => {
  assert.deepEqual(fieldsOf(draftOf(inspection), inspection), {
    name: "minha pasta",
    type: "bot",
    language: "node",
    version: "24",
    entry: "index.js",
  });
  const draft = draftOf(withSvcJson);
  assert.deepEqual(fieldsOf(draft, withSvcJson), { name: "minha pasta" });
  assert.deepEqual(fieldsOf({ ...draft, memoryMb: null, entry: "", command: "npm start" }, withSvcJson), {
    name: "minha pasta",
    entry: "",
    command: "npm start",
    memoryMb: "",
  });
});

test("fields that another language or type has are not sent, and a version follows the language", () => {
  const draft = { ...draftOf(inspection), subdomain: "loja", port: 3000 };
  assert.equal(fieldsOf(draft, inspection)["subdomain"], undefined);
  const pages = changed(draft, { language: "static" });
  assert.deepEqual([pages.type, pages.version], ["site", ""]);
  assert.deepEqual(Object.keys(fieldsOf(pages, inspection)), ["name", "type", "language", "subdomain"]);
  assert.equal(changed(draft, { language: "python" }).version, "3.13");
});

test("what the server would refuse is told before: the form, and the plan's bounds", () => {
  const draft = draftOf(inspection);
  const codes = (change: object, of: Room | null = room()) =>
    problemsOf({ ...draft, ...change }, of).map(({ field, code }) => `${field} ${code}`);
  assert.deepEqual(codes({}), []);
  assert.deepEqual(codes({ name: " " }), ["name noName"]);
  assert.deepEqual(codes({ name: "x".repeat(41) }), ["name longName"]);
  assert.deepEqual(codes({ entry: "" }), ["command noStart"]);
  assert.deepEqual(codes({ type: "site", subdomain: "-a" }), ["subdomain badSubdomain"]);
  assert.deepEqual(codes({ type: "site", port: 70_000 }), ["port badPort"]);
  assert.deepEqual(codes({ memoryMb: 64 }), ["memoryMb littleMemory"]);
  assert.deepEqual(codes({ memoryMb: 2_048 }), ["memoryMb noMemoryLeft"]);
  assert.deepEqual(codes({ type: "site" }, room({}, 0)), ["type siteNotAllowed"]);
  assert.deepEqual(codes({ type: "site" }, room({ sites: quota(0) })), ["type noSiteLeft"]);
  assert.deepEqual(codes({}, room({ projects: quota(0) })), ["null noProjectLeft"]);
  assert.deepEqual(codes({}, room({ suspendedAt: "2026-01-01T00:00:00.000Z" })), ["null suspended"]);
  assert.deepEqual(codes({ memoryMb: 1 }, null), []);
});
