import assert from "node:assert/strict";
import { test } from "node:test";
import { languageVersions, type Language } from "../nouns/language.ts";
import { isInRange } from "./version-range.ts";
import { chooseVersion, versionFor, versionWishes } from "./wanted-version.ts";

const read = (files: Record<string, string>) => (name: string) => files[name];
const choose = (language: Language, files: Record<string, string>) => chooseVersion(language, read(files));
const engines = (node: unknown) => ({ "package.json": JSON.stringify({ engines: { node } }) });

test("a range is satisfied by the versions with a release in it", () => {
  const rows: [range: string, versions: string[] | undefined][] = [
    ["22", ["22"]],
    ["v22", ["22"]],
    ["22.x", ["22"]],
    ["22.3.0", ["22"]],
    ["=22", ["22"]],
    [">=18", ["20", "22", "24", "26"]],
    [">= 22.5", ["22", "24", "26"]],
    [">22", ["24", "26"]],
    [">22.1.0", ["22", "24", "26"]],
    ["<22", ["20"]],
    ["<22.1", ["20", "22"]],
    ["<=22", ["20", "22"]],
    [">=20 <24", ["20", "22"]],
    [">=20, <24", ["20", "22"]],
    ["^20.9.0 || >=22.1", ["20", "22", "24", "26"]],
    ["^18 || ^20", ["20"]],
    ["~22.4", ["22"]],
    ["~22", ["22"]],
    ["20 - 22", ["20", "22"]],
    ["*", ["20", "22", "24", "26"]],
    ["", ["20", "22", "24", "26"]],
    ["18.x", []],
    [">=30", []],
    [">=24 <22", []],
    ["23", []],
    ["^22.0.0-rc.1", ["22"]],
    ["latest", undefined],
    ["lts/*", undefined],
    [">=a", undefined],
  ];
  for (const [range, expected] of rows) {
    const versions = languageVersions.node.filter((version) => isInRange(version, range) === true);
    const isRange = isInRange("22", range) !== undefined;
    assert.deepEqual([range, isRange ? versions : undefined], [range, expected]);
  }
  assert.equal(isInRange("3.12", "3.12.4"), true);
  assert.equal(isInRange("3.12", "3"), true);
  assert.equal(isInRange("3.12", "3.1"), false);
  assert.equal(isInRange("3.12", ">=3.11,<3.13"), true);
});

test("Node's version is what all files allow, the recommended one before the newest", () => {
  const rows: [files: Record<string, string>, version: string][] = [
    [{}, "24"],
    [engines(">=18"), "24"],
    [engines("^22"), "22"],
    [engines(">=25"), "26"],
    [engines("18.x"), "24"],
    [engines(22), "24"],
    [{ "package.json": "{" }, "24"],
    [{ "package.json": "[]" }, "24"],
    [{ ".nvmrc": "v22.11.0\n" }, "22"],
    [{ ".nvmrc": "# the team's\n\nlts/jod\n" }, "22"],
    [{ ".nvmrc": "lts/*" }, "24"],
    [{ ".nvmrc": "node" }, "26"],
    [{ ".nvmrc": "lts/argon" }, "24"],
    [{ ".node-version": "20" }, "20"],
    [{ ...engines(">=20"), ".nvmrc": "22" }, "22"],
    [{ ...engines("20.x"), ".nvmrc": "22" }, "20"],
    [{ ...engines("18.x"), ".nvmrc": "22" }, "22"],
    [{ ".python-version": "3.11" }, "24"],
    [{ ".nvmrc": `>=${"2".repeat(500)}` }, "24"],
  ];
  for (const [files, version] of rows) assert.deepEqual([files, choose("node", files)], [files, version]);
});

test("Python's is in .python-version or runtime.txt; other languages have no such file", () => {
  const rows: [files: Record<string, string>, version: string][] = [
    [{}, "3.13"],
    [{ ".python-version": "3.12\n3.11\n" }, "3.12"],
    [{ ".python-version": "3.11.9" }, "3.11"],
    [{ ".python-version": "3" }, "3.13"],
    [{ ".python-version": "pypy3.10" }, "3.13"],
    [{ ".python-version": "3.9" }, "3.13"],
    [{ "runtime.txt": "python-3.14.0\r\n" }, "3.14"],
    [{ ".python-version": "3.12", "runtime.txt": "python-3.11.1" }, "3.12"],
  ];
  for (const [files, version] of rows) assert.deepEqual([files, choose("python", files)], [files, version]);
  assert.equal(choose("static", { ".nvmrc": "22" }), "");
  assert.equal(choose("ruby", { ".nvmrc": "22" }), "3.4");
});

test("a wish says its file and text, shortened, and the versions that satisfy it", () => {
  assert.deepEqual(versionWishes("node", read({ ...engines(" ^20 || ^22 "), ".nvmrc": "x".repeat(300) })), [
    { file: "package.json (engines.node)", wanted: "^20 || ^22", versions: ["20", "22"] },
    { file: ".nvmrc", wanted: `${"x".repeat(80)}…`, versions: [] },
  ]);
  assert.deepEqual(versionWishes("node", read({ ".nvmrc": "\n# nothing\n" })), []);
});

test("a range chooses a version where the recommended one is not in it", () => {
  const rows: [language: Language, range: string, expected: string | null][] = [
    ["node", "", null],
    ["node", "lts/*", null],
    ["node", ">=18", null],
    ["node", "24.x", null],
    ["node", "20", "20"],
    ["node", "20.11.1", "20"],
    ["node", "v22", "22"],
    ["node", "^20 || ^22", "22"],
    ["node", ">=18 <21", "20"],
    ["node", "18 - 20", "20"],
    ["node", ">24", "26"],
    ["node", "16.x", null],
    ["node", "*", null],
    ["python", ">=3.10", null],
    ["python", "3.12.4", "3.12"],
    ["python", ">=3.11,<3.13", "3.12"],
    ["python", "~=3.11", null],
    ["python", "~=3.11.2", "3.11"],
    ["python", ">=3.9, !=3.9.7, <3.12", "3.11"],
    ["php", "^8.2", null],
    ["php", "8.5.*", "8.5"],
    ["php", "8.5|8.6", "8.5"],
    ["ruby", "~> 3.4", null],
    ["ruby", "4.0.1", "4.0"],
    ["go", ">=1.26", null],
    ["go", "1.26-bookworm", "1.26"],
  ];
  for (const [language, range, expected] of rows)
    assert.equal(versionFor(language, range), expected, `${language} ${range}`);
});
