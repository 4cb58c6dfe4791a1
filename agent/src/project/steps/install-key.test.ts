import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProjectSettings } from "@tijolo/protocol";
import { sampleAssignment } from "../../../../test/support/samples.ts";
import { installKey } from "./install-key.ts";

const keyOf = (settings: Partial<ProjectSettings>) =>
  installKey({ settings: { ...sampleAssignment().settings, ...settings } });

test("another entry is another install where the build compiles or publishes it, and nowhere else", () => {
  for (const [language, ...entries] of [
    ["go", null, "cmd/a", "cmd/b"],
    ["dotnet", null, "a.csproj", "ready.dll"],
  ] as const) {
    const keys = entries.map((entry) => keyOf({ language, entry }));
    assert.equal(new Set(keys).size, keys.length, language);
    assert.equal(
      new Set(entries.map((entry) => keyOf({ language, entry, installCommand: "make" }))).size,
      1,
      language,
    );
  }
  for (const language of ["node", "python", "elixir"] as const) {
    assert.equal(keyOf({ language, entry: "a" }), keyOf({ language, entry: "b" }), language);
  }
});
