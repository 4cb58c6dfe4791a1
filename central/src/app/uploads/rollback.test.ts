import assert from "node:assert/strict";
import { test } from "node:test";
import { plans } from "@tijolo/protocol";
import { sampleSettings } from "../../../../test/support/samples.ts";
import { settingsBack } from "./rollback.ts";

const plan = plans.get("Empresas");
assert.ok(plan !== undefined);
const options = { plan, number: 2, morePackages: ["chromium"] };
const site = sampleSettings({ type: "site", port: 3000, memoryMb: 512 });
const staticSite = sampleSettings({
  type: "site",
  language: "static",
  version: "",
  entry: null,
  command: "",
  root: "public",
  port: 8080,
  memoryMb: 64,
});

test("a rollback brings back what belongs to the code, and leaves what belongs to the project", () => {
  const past = sampleSettings({
    language: "python",
    version: "3.13",
    entry: "app.py",
    command: "python app.py",
    installCommand: "pip install x",
    systemPackages: ["git"],
    memoryMb: 1024,
    onFailure: "return",
  });
  const current = sampleSettings({ memoryMb: 300, onFailure: "keep" });
  assert.deepEqual(settingsBack(current, past, options), { ...past, memoryMb: 300, onFailure: "keep" });
});

test("the type stays: a site keeps its port where the version was a bot's, a bot gets none", () => {
  const bot = sampleSettings();
  assert.deepEqual(settingsBack(site, sampleSettings({ type: "site", port: 8080 }), options).port, 8080);
  const asSite = settingsBack(site, bot, options);
  assert.deepEqual([asSite.type, asSite.port], ["site", 3000]);
  const asBot = settingsBack(bot, site, options);
  assert.deepEqual([asBot.type, asBot.port], ["bot", null]);
});

test("what the present type, memory or lists of languages and packages do not allow is refused", () => {
  const refused = (code: string, field?: string) => (error: unknown) => {
    assert.ok(error instanceof Error && "code" in error && "extra" in error);
    assert.equal(error.code, code);
    if (field !== undefined) assert.deepEqual(error.extra, { field });
    return true;
  };
  assert.throws(() => settingsBack(sampleSettings(), staticSite, options), refused("invalid_config", "type"));
  assert.throws(() => settingsBack(staticSite, site, options), refused("invalid_config", "memoryMb"));
  const gone = sampleSettings({ version: "0.1" });
  assert.throws(() => settingsBack(sampleSettings(), gone, options), refused("unsupported_language"));
  const film = sampleSettings({ systemPackages: ["ffmpeg"] });
  assert.throws(
    () => settingsBack(sampleSettings(), film, options),
    refused("invalid_config", "systemPackages"),
  );
  assert.deepEqual(settingsBack(film, film, options), film);
  const browser = sampleSettings({ systemPackages: ["chromium"] });
  assert.deepEqual(settingsBack(film, browser, options), browser);
});

test("memory below the minimum of a plan that came later stays", () => {
  const small = sampleSettings({ memoryMb: 128 });
  assert.equal(settingsBack(small, sampleSettings(), options).memoryMb, 128);
});
