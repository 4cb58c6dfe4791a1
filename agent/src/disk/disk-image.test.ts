import assert from "node:assert/strict";
import { test } from "node:test";
import { imageMb, limitOfImage } from "./disk-image.ts";

test("an image's size tells the limit that it was made for", () => {
  for (let limitMb = 8; limitMb <= 60_000; limitMb++) assert.equal(limitOfImage(imageMb(limitMb)), limitMb);
});

test("what the file system itself takes comes on top of the limit", () => {
  for (const limitMb of [8, 64, 1_024, 51_200]) assert.ok(imageMb(limitMb) > limitMb + limitMb / 32 + 8);
});
