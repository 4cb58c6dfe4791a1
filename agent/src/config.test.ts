import assert from "node:assert/strict";
import { test } from "node:test";
import { minUidStart, parseConfig } from "./config.ts";
import { resolverId } from "./network/resolver/resolver-id.ts";

test("registries' credentials, mirrors and hosts without TLS are read; malformed ones are refused by name", () => {
  const config = parseConfig({
    TIJOLO_REGISTRY_AUTH_FILE: "/etc/tijolo/registries.json",
    TIJOLO_REGISTRY_MIRRORS: "docker.io=https://one.example,docker.io=https://two.example/hub",
    TIJOLO_REGISTRY_INSECURE: "registry.example:5000,plain.example",
  });
  assert.equal(config.registryAuthFile, "/etc/tijolo/registries.json");
  assert.deepEqual(
    [...config.registryMirrors],
    [["docker.io", ["https://one.example", "https://two.example/hub"]]],
  );
  assert.deepEqual([...config.insecureRegistries], ["registry.example:5000", "plain.example"]);

  const none = parseConfig({});
  assert.deepEqual(
    [none.registryAuthFile, none.registryMirrors.size, none.insecureRegistries.size],
    [null, 0, 0],
  );
  const wrong = {
    REGISTRY_AUTH_FILE: "relative",
    REGISTRY_MIRRORS: "docker.io",
    REGISTRY_INSECURE: "http://x",
  };
  for (const [name, value] of Object.entries(wrong)) {
    assert.throws(() => parseConfig({ [`TIJOLO_${name}`]: value }), new RegExp(`TIJOLO_${name} must`), name);
  }
});

test("ids of projects begin above those of the machine's users and of the resolver", () => {
  assert.equal(parseConfig({ TIJOLO_UID_START: "100000" }).uidStart, 100_000);
  assert.equal(
    parseConfig({ TIJOLO_UID_START: "65536" }).uidStart,
    65_536,
    "the ledger decides (check-uid-start.test.ts)",
  );
  assert.throws(() => parseConfig({ TIJOLO_UID_START: "9999" }), /TIJOLO_UID_START must match/);
  assert.ok(minUidStart === 100_000 && resolverId < minUidStart);
});

test("the log's level is a word of the log's", () => {
  assert.equal(parseConfig({}).logLevel, "info");
  assert.equal(parseConfig({ TIJOLO_LOG_LEVEL: "debug" }).logLevel, "debug");
  assert.throws(
    () => parseConfig({ TIJOLO_LOG_LEVEL: "verbose" }),
    /^Error: TIJOLO_LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent, not "verbose"\.$/,
  );
});
