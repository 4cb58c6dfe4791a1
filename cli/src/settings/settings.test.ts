import assert from "node:assert/strict";
import { test } from "node:test";
import { svcJson, type Project } from "@tijolo/protocol";
import { readSetting, settingNames } from "./read-setting.ts";
import { settingsOf } from "./settings-of.ts";

const bot = {
  name: "meu-bot",
  description: "",
  type: "bot",
  language: "node",
  version: "24",
  entry: "x.js",
  command: "node x.js",
  installCommand: null,
  root: null,
  systemPackages: [],
  memoryMb: 256,
  port: null,
  subdomain: null,
} as unknown as Project;

test("settings hold just the fields of the project's kind, in the form of svc.json", () => {
  const site = { ...bot, type: "site", port: 8080, subdomain: "loja" } as Project;
  const folder = {
    ...site,
    language: "static",
    version: "",
    entry: null,
    command: "",
    root: "",
    port: null,
  } as Project;
  assert.deepEqual(
    Object.keys(settingsOf(bot)).filter((name) => ["root", "port", "subdomain"].includes(name)),
    [],
  );
  assert.equal(settingsOf(site).port, 8080);
  assert.deepEqual(settingsOf(folder), {
    name: "meu-bot",
    description: "",
    type: "site",
    language: "static",
    root: "",
    memoryMb: 256,
    subdomain: "loja",
  });
  const app = settingsOf({ ...folder, spa: true, installCommand: "make" });
  assert.deepEqual([app.spa, app.installCommand], [true, "make"]);
  for (const project of [bot, site, folder]) svcJson.parse(settingsOf(project));
});

test("text becomes what the setting's schema asks for; what does not fit stays for the server to judge", () => {
  assert.deepEqual(
    [
      ["memoryMb", "512"],
      ["memoryMb", "much"],
      ["spa", "true"],
      ["spa", "yes"],
      ["installCommand", "null"],
      ["installCommand", ""],
      ["name", "null"],
      ["version", "24"],
      ["systemPackages", " git, curl,"],
      ["systemPackages", ""],
    ].map(([name = "", text = ""]) => readSetting(name, text)),
    [512, "much", true, "yes", null, "", "null", "24", ["git", "curl"], []],
  );
});

test("every setting but the schema's own address may be named", () => {
  assert.deepEqual(
    settingNames,
    Object.keys(svcJson.shape).filter((name) => name !== "$schema"),
  );
});
