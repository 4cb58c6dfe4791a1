import assert from "node:assert/strict";
import { test } from "node:test";
import { ownCookies } from "./own-cookies.ts";

const own = [
  "a=1",
  "a",
  "",
  "a=1; Path=/; Max-Age=5; SameSite=Lax; Partitioned",
  "Domain=tijolo.example",
  "a=Domain=tijolo.example",
  "a=1; X-Domain=tijolo.example; Path=/domain=tijolo.example",
];

const wide: [sent: string, kept: string][] = [
  ["a=1; Domain=", "a=1"],
  ["a=1; Domain", "a=1"],
  ["a=1; Domain=shop.tijolo.example", "a=1"],
  ["a=1;DOMAIN=.Shop.Tijolo.Example", "a=1"],
  ["a=1; Domain=tijolo.example; Path=/", "a=1; Path=/"],
  ["a=1; \t dOmAiN \t = \t tijolo.example \t ; Secure", "a=1; Secure"],
  ["a=1; Domain=bank.tijolo.example", "a=1"],
  ["a=1; Domain=.", "a=1"],
  ['a=1; Domain="shop.tijolo.example"', "a=1"],
  ["a=1; Domain=shop.tijolo.example=x", "a=1"],
  ["a=1; Domain=shop.tijolo.example; HttpOnly; Domain=tijolo.example", "a=1; HttpOnly"],
  ["a=1; Domain=tijolo.example; Domain=", "a=1"],
  ["__Secure-a=1; Secure; Domain=tijolo.example", "__Secure-a=1; Secure"],
  ["; Domain=tijolo.example", ""],
];

test("a cookie is for the site's own name, whatever it asks for, and they stay in their order", () => {
  assert.deepEqual(ownCookies(own), own);
  for (const [sent, kept] of wide) assert.deepEqual(ownCookies(["first", sent]), ["first", kept], sent);
});
