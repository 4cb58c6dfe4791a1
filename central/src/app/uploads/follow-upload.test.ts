import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConfigChange, Language } from "@tijolo/protocol";
import type { SettingsOrigin } from "../../store/tables/projects/version-config.ts";
import { withoutFields } from "../projects/settings-origin.ts";
import { followUpload, type BeforeUpload } from "./follow-upload.ts";

const node = { language: "node", version: "24" } as const;
const named = (...svcJson: string[]): Omit<SettingsOrigin, "entry"> => ({ svcJson, isVersionChosen: false });

function follow(
  {
    svcJson = null,
    form = {},
    files = "24",
  }: { svcJson?: ConfigChange | null; form?: ConfigChange; files?: string },
  before: BeforeUpload | null,
) {
  const chooseVersion = (language: Language) => (language === "node" ? files : "");
  const { patch, resets, origin } = followUpload({ svcJson, form, chooseVersion }, before);
  return { patch, resets: [...resets], origin };
}

const after = (
  origin: Partial<SettingsOrigin> | null,
  settings: BeforeUpload["settings"] = node,
): BeforeUpload => ({
  settings,
  origin: origin === null ? null : { svcJson: [], isVersionChosen: false, entry: null, ...origin },
});

test("a field that the earlier svc.json named and this one does not returns to its default", () => {
  const before = after({ svcJson: ["language", "name", "subdomain", "memoryMb", "systemPackages"] });
  const svcJson = { language: "node", memoryMb: 300 };
  assert.deepEqual(follow({ svcJson }, before), {
    patch: svcJson,
    resets: ["systemPackages"],
    origin: named("language", "memoryMb"),
  });
});

test("a field that the form names does not, and is the form's from then on", () => {
  const before = after({ svcJson: ["memoryMb", "entry"] });
  const first = follow({ svcJson: {}, form: { memoryMb: 512, command: "npm start" } }, before);
  assert.deepEqual(first, {
    patch: { memoryMb: 512, command: "npm start" },
    resets: ["entry"],
    origin: named(),
  });
  const both = follow({ svcJson: { memoryMb: 300, entry: "a.js" }, form: { command: "npm start" } }, before);
  assert.deepEqual(both.origin, named("memoryMb"), "entry and command are one");
});

test("nothing changes by absence without an svc.json, or where the earlier one is not known", () => {
  const before = after({ svcJson: ["memoryMb"] });
  assert.deepEqual(follow({}, before), { patch: {}, resets: [], origin: named("memoryMb") });
  assert.deepEqual(follow({ form: { memoryMb: 300 } }, before).origin, named());
  assert.deepEqual(follow({ svcJson: { port: 80 } }, after(null)), {
    patch: { port: 80 },
    resets: [],
    origin: named("port"),
  });
});

test("null resets a field, in svc.json and form; a null entry or command is an empty one", () => {
  const { patch, resets, origin } = follow(
    { svcJson: { memoryMb: null, installCommand: null, entry: null }, form: { type: null, command: null } },
    after(null),
  );
  assert.deepEqual(patch, { entry: "", command: "" });
  assert.deepEqual(resets.toSorted(), ["installCommand", "memoryMb", "type"]);
  assert.deepEqual(origin, named());
  assert.deepEqual(follow({ svcJson: { memoryMb: 300 }, form: { memoryMb: null } }, after(null)).resets, [
    "memoryMb",
  ]);
  const created = follow({ svcJson: { language: "node", memoryMb: null } }, null);
  assert.deepEqual(created.patch, { language: "node", version: "24" });
});

test("a version that nobody names is chosen by the files, again with each upload", () => {
  const svcJson = { language: "node" };
  const created = follow({ svcJson, files: "22" }, null);
  assert.deepEqual(created.patch, { language: "node", version: "22" });
  assert.ok(created.origin.isVersionChosen);
  const chosen = (version: string) => after({ isVersionChosen: true }, { language: "node", version });
  assert.equal(follow({ files: "20" }, chosen("22")).patch.version, "20");
  assert.equal(follow({ files: "22" }, chosen("22")).patch.version, undefined, "no change");
  assert.equal(follow({ svcJson: { version: "26" }, files: "20" }, chosen("22")).patch.version, "26");
});

test("a version that a PATCH or an svc.json set stays, until the svc.json names it no more", () => {
  const set = after({ isVersionChosen: false }, { language: "node", version: "20" });
  assert.deepEqual(follow({ svcJson: {}, files: "22" }, set).patch, {});
  assert.deepEqual(follow({ files: "22" }, after(null)).patch, {});
  const gone = after({ svcJson: ["version"] }, { language: "node", version: "20" });
  assert.deepEqual(follow({ svcJson: {}, files: "22" }, gone).patch, { version: "22" });
  assert.deepEqual(follow({ svcJson: {}, files: "20" }, gone), {
    patch: {},
    resets: [],
    origin: { svcJson: [], isVersionChosen: true },
  });
  assert.deepEqual(follow({ svcJson: { version: null }, files: "22" }, set).patch, { version: "22" });
  const other = after({}, { language: "python", version: "3.11" });
  assert.deepEqual(follow({ svcJson: { language: "node" }, files: "22" }, other).patch, {
    language: "node",
    version: "22",
  });
});

test("what a person sets follows no upload any more", () => {
  const origin: SettingsOrigin = {
    svcJson: ["memoryMb", "entry", "version"],
    isVersionChosen: false,
    entry: "a.js",
  };
  const same = { isOtherLanguage: false };
  assert.deepEqual(withoutFields(origin, { memoryMb: 300 }, same).svcJson, ["entry", "version"]);
  assert.deepEqual(withoutFields(origin, { command: "x" }, same).svcJson, ["memoryMb", "version"]);
  const chosen = { ...origin, isVersionChosen: true };
  assert.equal(withoutFields(chosen, { memoryMb: 300 }, same).isVersionChosen, true);
  assert.equal(withoutFields(chosen, { version: "20" }, same).isVersionChosen, false);
  assert.equal(withoutFields(origin, { language: "go" }, { isOtherLanguage: true }).isVersionChosen, true);
});
