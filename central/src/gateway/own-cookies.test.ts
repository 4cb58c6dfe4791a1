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
  "a=1; Domain=",
  "a=1; Domain",
  "a=1; Domain=shop.tijolo.example",
  "a=1;DOMAIN=.Shop.Tijolo.Example",
  "a=1; domain \t=\t shop.tijolo.example. ; Secure",
  "a=1; X-Domain=tijolo.example; Path=/domain=tijolo.example",
];

const foreign = [
  "a=1; Domain=tijolo.example",
  "a=1; Domain=.tijolo.example",
  "a=1;domain=TIJOLO.example",
  "a=1; \t dOmAiN \t = \t tijolo.example \t ; Secure",
  "a=1; Domain=tijolo.example.",
  "a=1; Domain=example",
  "a=1; Domain=bank.tijolo.example",
  "a=1; Domain=deeper.shop.tijolo.example",
  "a=1; Domain=notshop.tijolo.example",
  "a=1; Domain=localhost",
  "a=1; Domain=.",
  "a=1; Domain=..tijolo.example",
  'a=1; Domain="shop.tijolo.example"',
  "a=1; Domain=shop.tijolo.example=x",
  "a=1; Domain=tijolo.example; Domain=shop.tijolo.example",
  "a=1; Domain=shop.tijolo.example; Domain=tijolo.example",
  "a=1; Domain=tijolo.example; Domain=",
  "__Secure-a=1; Secure; Domain=tijolo.example",
  "; Domain=tijolo.example",
];

for (const host of [
  "shop.tijolo.example",
  "shop.tijolo.example:8081",
  "Shop.Tijolo.Example.",
  "SHOP.tijolo.example.:80",
]) {
  test(`of a site at ${host} only cookies for that name pass, in their order`, () => {
    assert.deepEqual(ownCookies([...own, ...foreign], host), own);
    for (const cookie of foreign) assert.deepEqual(ownCookies([cookie], host), [], cookie);
  });
}
