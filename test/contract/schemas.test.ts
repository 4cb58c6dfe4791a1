/** Schemas are made once: to make one takes 10 to 400 µs, to use it less than one, and rows are many. */

import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..", "..");
/** A schema that is used where it is made. */
const madeAndUsed =
  /\bz\.\w+\(.*\)\.(?:safeParse|parse)\(|\.(?:partial|strip|pick|omit)\(.*\)\.(?:safeParse|parse)\(/;
/** Read once in the life of a program. */
const allowed = ["protocol/kit/program/tijolo-version.ts"];

test("no program makes a schema for each value that it reads", async () => {
  const found: string[] = [];
  const sources = ["agent/src", "central/src", "central/gateway/src", "protocol/src", "protocol/kit"];
  for (const file of globSync(`{${sources.join(",")}}/**/*.ts`, { cwd: root })) {
    if (file.endsWith(".test.ts") || allowed.includes(file)) continue;
    const lines = (await readFile(join(root, file), "utf8")).split("\n");
    for (const [index, line] of lines.entries())
      if (madeAndUsed.test(line)) found.push(`${file}:${index + 1}: ${line.trim()}`);
  }
  assert.deepEqual(found, []);
});
