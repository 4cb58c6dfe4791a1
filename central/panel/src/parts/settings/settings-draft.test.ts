import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFields, followed, patchOf, type SettingsDraft } from "./settings-draft.ts";

const draft: SettingsDraft = {
  name: "bot",
  description: "",
  type: "bot",
  language: "node",
  version: "24",
  entry: "index.js",
  command: "",
  installCommand: "npm ci",
  root: "",
  spa: false,
  memoryMb: 256,
  port: null,
  subdomain: "",
  systemPackages: "",
};

test("only what was changed is sent, in the form of the API", () => {
  const now = { ...draft, memoryMb: 512, installCommand: "", systemPackages: "ffmpeg,  curl" };
  assert.deepEqual(patchOf(draft, now), {
    memoryMb: 512,
    installCommand: null,
    systemPackages: ["ffmpeg", "curl"],
  });
  assert.deepEqual(patchOf(draft, draft), {});
});

test("a field that nobody touched follows the project, what was typed stays", () => {
  const typed = { ...draft, name: "robot" };
  const now = { ...draft, memoryMb: 1024, name: "other" };
  const after = followed(typed, draft, now);
  assert.deepEqual([after.name, after.memoryMb], ["robot", 1024]);
  assert.deepEqual(changedFields(now, after), ["name"]);
});
