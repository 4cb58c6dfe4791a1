import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { CompressedDocuments } from "./send-document.ts";

test("what is asked for again is not compressed again, and of ever new documents only some are, per minute", async () => {
  const time = { now: 0 };
  const documents = new CompressedDocuments({ now: () => time.now });
  const own = documents.find("own", "own");
  assert.equal(gunzipSync((await own) ?? "").toString(), "own");
  const others = Array.from({ length: 100 }, (_, index) => documents.find("other", `other-${index}`));
  assert.equal(others.filter((made) => made !== null).length, 29);
  const last = others.findLastIndex((made) => made !== null);
  assert.equal(documents.find("other", `other-${last}`), others[last]);
  time.now += 60_000;
  assert.notEqual(documents.find("own", "own"), null);
});
