import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProjectSettings } from "@tijolo/protocol";
import { sampleSettings } from "../../../test/support/samples.ts";
import { planInstall } from "./install-plan.ts";
import type { SourceTree } from "./language-rules.ts";
import { folderOf, installSettings } from "./static.ts";

const vite = JSON.stringify({ scripts: { build: "vite build" } });

function treeOf(files: Record<string, string>): SourceTree {
  return {
    has: (path) => path in files,
    hasFolder: (path) => Object.keys(files).some((file) => file.startsWith(`${path}/`)),
    read: (path) => files[path],
    digests: () => undefined,
  };
}

/** Returns the commands of a static site's install. */
function commands(files: Record<string, string>, settings: Partial<ProjectSettings> = {}): string[] {
  const tree = treeOf(files);
  const site = sampleSettings({ language: "static", type: "site", version: "", command: "", root: "" });
  return planInstall(installSettings({ ...site, ...settings }, tree), tree).map(({ command }) => command);
}

test("a site is built where its package.json says how and the served folder does not come along", () => {
  const build = ["npm install", "npm run build"];
  const rows: [name: string, files: string[], root: string, expected: string[]][] = [
    ["the folder is not there", ["index.html"], "dist", build],
    ["the folder is written otherwise", ["index.html"], "./dist/", build],
    ["a deeper folder is not there", ["dist/index.html"], "dist/browser", build],
    ["the folder came along", ["index.html", "dist/a.html"], "dist", []],
    ["no folder is named, and none came along", ["index.html", "public/icon.svg"], "", build],
    ["no folder is named, and public holds what the build copies", ["public/index.html"], "", build],
    ["no folder is named, and a built one came along", ["dist/index.html"], "", []],
    ["no folder is named, and another built one came along", ["out/index.html"], "", []],
  ];
  for (const [name, paths, root, expected] of rows) {
    const files = Object.fromEntries(paths.map((path) => [path, ""]));
    assert.deepEqual(commands({ ...files, "package.json": vite }, { root }), expected, name);
    assert.deepEqual(commands(files, { root }), [], `${name}, without a package.json`);
    assert.deepEqual(commands({ ...files, "package.json": "{}" }, { root }), [], `${name}, without a build`);
  }
});

test("the owner's command builds in any case, and an empty one never", () => {
  const files = { "package.json": vite, "dist/index.html": "" };
  assert.deepEqual(commands(files, { installCommand: "make" }), ["make"]);
  assert.deepEqual(commands({}, { installCommand: "make", root: "dist" }), ["make"]);
  assert.deepEqual(commands({ "package.json": vite }, { installCommand: "", root: "dist" }), []);
});

test("the lock file's package manager builds, with the version of Node that the project names", () => {
  const locked = { "package.json": vite, "pnpm-lock.yaml": "" };
  assert.deepEqual(commands(locked, { root: "dist" }), ["pnpm install --frozen-lockfile", "pnpm run build"]);
  const site = sampleSettings({ language: "static", version: "", root: "dist" });
  const version = (files: Record<string, string>) =>
    installSettings(site, treeOf({ "package.json": vite, ...files })).version;
  const engines = (node: string) => ({
    "package.json": JSON.stringify({ scripts: { build: "x" }, engines: { node } }),
  });
  const rows: [files: Record<string, string>, expected: string][] = [
    [{}, "24"],
    [{ ".nvmrc": "v22.3.1\n" }, "22"],
    [{ ".node-version": "20" }, "20"],
    [{ ".nvmrc": "lts/*" }, "24"],
    [{ ".nvmrc": "18" }, "24"],
    [engines("22.x"), "22"],
    [engines("^20.19.0 || >=22.12.0"), "24"],
    [engines(">=18"), "24"],
    [engines(">= 26"), "26"],
    [engines(">=99"), "24"],
    [engines("*"), "24"],
  ];
  for (const [files, expected] of rows) assert.equal(version(files), expected, JSON.stringify(files));
});

test("a folder is read as one path, however it is written", () => {
  for (const [root, folder] of [
    ["", ""],
    [".", ""],
    ["./", ""],
    ["dist/", "dist"],
    ["./a//b/", "a/b"],
    ["a/../b", "b"],
  ] as const)
    assert.equal(folderOf(root), folder);
});
