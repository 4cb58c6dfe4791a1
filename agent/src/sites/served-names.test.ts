import assert from "node:assert/strict";
import { test } from "node:test";
import { isCompressible, isImmutable, isServedName } from "./served-names.ts";

test("a name with a hash of its contents is cached for good, and no other", () => {
  const immutable = [
    "assets/index-DiwrgTda.js", // Vite
    "assets/index-BcHe5f2a.css",
    "assets/vendor-_aB3xY-z.js.map",
    "main-5HL7TQ3I.js", // esbuild, Angular
    "chunk-QZ4Z4B5D.mjs",
    "static/js/main.8ac2f1b3.js", // webpack
    "static/js/787.0d5a9eef.chunk.js",
    "static/media/logo.6ce24c58023cc2f8fd88.svg",
    "_next/static/chunks/app/layout.js",
    "_app/immutable/entry/start.js",
  ];
  const asked = [
    "index.html",
    "assets/index-DiwrgTda.html",
    "app.js",
    "app-version2.js",
    "jquery-3.7.1.min.js",
    "jquery.min.js",
    "site-theme-v2.css",
    "data.20240101.json",
    "photo-IMG12345.jpg",
    "assets/foto-Familia1.png",
    "my-bluebird.js",
    "sw.js",
    "next/static/a.js",
  ];
  for (const name of immutable) assert.ok(isImmutable(name), name);
  for (const name of asked) assert.ok(!isImmutable(name), name);
});

test("text is compressed, and what is compressed by its own format is not", () => {
  for (const name of ["index.html", "a/b.JS", "x.svg", "m.wasm", "data.json", "site.webmanifest"])
    assert.ok(isCompressible(name), name);
  for (const name of ["a.png", "a.woff2", "a.zip", "a.mp4", "js", "a.js.br", ""])
    assert.ok(!isCompressible(name), name);
});

test("hidden names are not served, and of a whole project neither its settings nor its packages", () => {
  const top = { depth: 0, isWholeProject: true };
  for (const name of [".env", ".git", "svc.json", "node_modules"]) assert.ok(!isServedName(name, top), name);
  for (const name of ["index.html", ".well-known"]) assert.ok(isServedName(name, top), name);
  assert.ok(isServedName("svc.json", { depth: 1, isWholeProject: true }));
  assert.ok(isServedName("node_modules", { depth: 0, isWholeProject: false }));
  assert.ok(!isServedName(".well-known", { depth: 1, isWholeProject: false }));
});
