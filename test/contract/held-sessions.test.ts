/** Each stream of HTTP/2 holds its session: else a peer that never ends a head ends the program. */

import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..", "..");
const opensOrTakes = /\bsession\.request\(|\.on\("stream", \(stream\b/g;

test("no program opens or takes a stream without holding its session", async () => {
  const places: string[] = [];
  const unheld: string[] = [];
  for (const file of globSync("{agent,central,central/gateway,protocol}/{src,kit}/**/*.ts", { cwd: root })) {
    if (file.endsWith(".test.ts")) continue;
    const text = await readFile(join(root, file), "utf8");
    const count = text.match(opensOrTakes)?.length ?? 0;
    if (count > 0) places.push(file);
    if (count > (text.match(/\bholdSession\(/g)?.length ?? 0)) unheld.push(file);
  }
  assert.deepEqual(unheld, []);
  assert.equal(places.length, 3, `streams begin in ${places.join(", ")}`);
});
