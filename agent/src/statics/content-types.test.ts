import assert from "node:assert/strict";
import { readFile, realpath } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";

test("nginx gives files the types that they have by every other way", async () => {
  const send = createRequire(await realpath(join(import.meta.dirname, "../../node_modules/send/index.js")));
  const mime = send("mime-types") as { types: Record<string, string>; contentType(name: string): string };
  const text = await readFile(join(import.meta.dirname, "content-types.conf"), "utf8");
  const ours = new Map<string, string>();
  for (const [, type = "", endings = ""] of text.matchAll(/^"([^"]+)" ([^;]+);$/gm))
    for (const ending of endings.split(" ")) ours.set(ending, type);
  const endings = Object.keys(mime.types);
  assert.ok(endings.length > 1_000);
  assert.deepEqual(
    ours,
    new Map([...ours.keys()].map((ending) => [ending, mime.contentType(`x.${ending}`)])),
  );
  assert.deepEqual(
    endings.filter((ending) => !ours.has(ending)),
    [],
  );
});
