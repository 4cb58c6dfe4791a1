import assert from "node:assert/strict";
import { test } from "node:test";
import type { SiteRoute } from "@tijolo/protocol";
import { mapText, readShownMap } from "../haproxy/haproxy-map.ts";
import { mapValue } from "./map-value.ts";

const projectId = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const near = { address: "10.200.0.7", port: 8080, runNumber: 3, isStatic: false };
const route: SiteRoute = {
  hostname: "shop.example.com",
  projectId,
  near,
  redirectTo: null,
  isOwnDomain: false,
  hasHsts: true,
  isCompressed: true,
};

test("each kind of route has its own map value", () => {
  const values: [SiteRoute, boolean, string][] = [
    [route, true, `near-zip|${projectId}|10.200.0.7|8080|3|ours|hsts|here`],
    [{ ...route, hasHsts: false }, true, `near-zip|${projectId}|10.200.0.7|8080|3|ours|plain|here`],
    [{ ...route, isCompressed: false }, true, `near|${projectId}|10.200.0.7|8080|3|ours|hsts|here`],
    [
      { ...route, near: { ...near, isStatic: true } },
      true,
      `static-zip|${projectId}|10.200.0.7|8080|3|ours|hsts|here`,
    ],
    [{ ...route, hasMissingPage: true }, true, `near-zip|${projectId}|10.200.0.7|8080|3|ours|hsts|central`],
    [{ ...route, isOwnDomain: true }, true, `near-zip|${projectId}|10.200.0.7|8080|3|own|hsts|here`],
    [
      { ...route, near: { ...near, isStatic: true }, farHost: projectId },
      true,
      `static-zip|${projectId}|10.200.0.7|8080|3|ours|hsts|here`,
    ],
    [{ ...route, farHost: projectId }, true, `far-zip|${projectId}|10.200.0.7|8080|3|ours|hsts|here`],
    [{ ...route, protocol: "h2c" }, true, `near-h2c-zip|${projectId}|10.200.0.7|8080|3|ours|hsts|here`],
    [
      { ...route, protocol: "h2c", farHost: projectId },
      true,
      `far-h2c-zip|${projectId}|10.200.0.7|8080|3|ours|hsts|here`,
    ],
    [route, false, `pages-zip|${projectId}||||ours|hsts|here`],
    [{ ...route, near: null }, true, `pages-zip|${projectId}||||ours|hsts|here`],
    [
      { ...route, redirectTo: "www.example.com" },
      true,
      `redirect|${projectId}|www.example.com|||ours|hsts|here`,
    ],
  ];
  for (const [given, isDirect, expected] of values) assert.equal(mapValue(given, { isDirect }), expected);
});

test("nothing in a route can add a field, a line or a command", () => {
  const odd: Partial<SiteRoute>[] = [
    { hostname: "a b" },
    { hostname: "a\nshutdown sessions" },
    { hostname: "a;show env" },
    { hostname: "A.example.com" },
    { projectId: "x|y" },
    { near: { ...near, address: "10.0.0.1|80" } },
    { near: { ...near, port: 70_000 } },
    { redirectTo: "evil.example/|" },
  ];
  for (const change of odd)
    assert.throws(() => mapValue({ ...route, ...change }, { isDirect: true }), JSON.stringify(change));
});

test("what HAProxy shows of its map is read back", () => {
  const values = new Map([["shop.example.com", mapValue(route, { isDirect: true })]]);
  assert.equal(mapText(values), `shop.example.com near-zip|${projectId}|10.200.0.7|8080|3|ours|hsts|here\n`);
  const shown = `0x7f1c2a shop.example.com near-zip|${projectId}|10.200.0.7|8080|3|ours|hsts|here\nodd line\n\n`;
  assert.deepEqual(readShownMap(shown), values);
});
