/**
 * The documents are short enough to be read, what they name exists, and every runtime dependency has its line
 * and its use.
 */

import assert from "node:assert/strict";
import { existsSync, globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { globalOptions } from "../../cli/src/command.ts";
import { findCommand } from "../../cli/src/command-line/parse-arguments.ts";
import { commands } from "../../cli/src/commands.ts";

const root = join(import.meta.dirname, "..", "..");
const packages = ["protocol", "central", "central/panel", "agent", "cli"];
const documents = globSync(["*.md", "docs/*.md", "{examples,test,agent,central,cli,protocol}/**/*.md"], {
  cwd: root,
  exclude: ["**/node_modules/**"],
});
const maxWidth = 110;
/** A newcomer reads ARCHITECTURE.md whole, and a folder's README before a change of the folder. */
const maxLines = { architecture: 200, readmeOfFolder: 60 };

test("the documents are few, short and narrow", async () => {
  const tooLong: string[] = [];
  for (const document of documents) {
    const lines = (await textOf(document)).trimEnd().split("\n");
    const wide = lines.filter((line) => !line.startsWith("|") && line.length > maxWidth);
    tooLong.push(...wide.map((line) => `${document}: ${line}`));
    const most = mostLinesOf(document);
    if (lines.length > most) tooLong.push(`${document} has ${lines.length} lines, at most ${most}`);
  }
  assert.deepEqual(tooLong, []);
  assert.ok(documents.length > 25, documents.join());
});

test("every file and folder that a document names exists", async () => {
  const missing: string[] = [];
  let named = 0;
  for (const document of documents) {
    for (const [, path = ""] of withoutCode(await textOf(document)).matchAll(namedPath)) {
      if (path === "svc.json") continue;
      named++;
      if (!isThere(document, path)) missing.push(`${document} names ${path}`);
    }
  }
  assert.deepEqual(missing, []);
  assert.ok(named > 200, `only ${named} paths were found in the documents`);
});

test("every link of a document leads somewhere", async () => {
  const broken: string[] = [];
  let links = 0;
  for (const document of documents) {
    for (const [, target = ""] of withoutCode(await textOf(document)).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      links++;
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? document : join(dirname(document), path);
      const isGood =
        existsSync(join(root, file)) && (anchor === undefined || (await anchorsOf(file)).includes(anchor));
      if (!isGood) broken.push(`${document} links to ${target}`);
    }
  }
  assert.deepEqual(broken, []);
  assert.ok(links > 30, `only ${links} links were found in the documents`);
});

test("every command that a document names exists, with its options", async () => {
  const wrong: string[] = [];
  let named = 0;
  for (const document of documents.filter((name) => !name.startsWith("examples/"))) {
    for (const [, line = ""] of (await textOf(document)).matchAll(namedCommand)) {
      const words = line.split(/ +#/)[0]?.trim().split(/ +/) ?? [];
      named++;
      const command = findCommand(words, commands)?.command;
      const known = Object.keys({ ...globalOptions, ...command?.options });
      const options = words.flatMap((word) => /^--([a-z-]+)/.exec(word)?.[1] ?? []);
      if (command === undefined || options.some((option) => !known.includes(option)))
        wrong.push(`${document}: tijolo ${words.join(" ")}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(named > 40, `only ${named} commands were found in the documents`);
});

/** A command in backticks, or at the beginning of a line of an example. */
const namedCommand = /(?:`|^)(?:node cli\/bin\/)?tijolo(?:\.mjs)? ([a-z][^`…\n]*)(?=`|$)/gm;

/** A path in backticks: a file by its extension, a folder by its last slash. */
const namedPath =
  /`((?:\.?[\w-][\w.-]*\/)*(?:[\w.-]+\.(?:ts|mjs|pl|sh|lua|targets|sql|json|md)|[\w.-]+\/))`/g;

/** Paths begin at the root of the sources, or at the folder of the document. */
function isThere(document: string, path: string): boolean {
  return [root, join(root, dirname(document))].some((from) => existsSync(join(from, path)));
}

function mostLinesOf(document: string): number {
  if (document === "ARCHITECTURE.md") return maxLines.architecture;
  const isOfFolder = document.endsWith("/README.md") && document !== "protocol/client/README.md";
  return isOfFolder ? maxLines.readmeOfFolder : Infinity;
}

function withoutCode(text: string): string {
  return text.replace(/^```[^]*?^```$/gm, "");
}

/** Returns the anchors of the headings, as they are made of their words. */
async function anchorsOf(document: string): Promise<string[]> {
  const headings = (await textOf(document)).matchAll(/^#+ (.+)$/gm);
  return Array.from(headings, ([, words = ""]) =>
    words
      .toLowerCase()
      .replace(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
}

function textOf(document: string): Promise<string> {
  return readFile(join(root, document), "utf8");
}

test("every runtime dependency has a line that says why", async () => {
  const architecture = await readFile(join(root, "ARCHITECTURE.md"), "utf8");
  const names = new Set((await Promise.all(packages.map(dependenciesOf))).flat());
  assert.ok(names.size > 8);
  const rows = architecture.split("\n").filter((line) => line.startsWith("|"));
  for (const name of names)
    assert.ok(
      rows.some((row) => row.split("|")[1]?.includes(name)),
      `${name} has no line`,
    );
});

test("every runtime dependency is imported by the package that names it, or wanted by another that is", async () => {
  for (const name of packages) {
    const files = globSync("{src,kit}/**/*.{ts,tsx,css}", { cwd: join(root, name) });
    const source = (await Promise.all(files.map((file) => readFile(join(root, name, file), "utf8")))).join(
      "\n",
    );
    const dependencies = await dependenciesOf(name);
    const imported = dependencies.filter(
      (dependency) => source.includes(` from "${dependency}"`) || source.includes(` from "${dependency}/`),
    );
    assert.ok(imported.length > 1, imported.join());
    const wanted = await Promise.all(imported.map((dependency) => peersOf(name, dependency)));
    const unused = dependencies.filter(
      (dependency) => !imported.includes(dependency) && !wanted.flat().includes(dependency),
    );
    assert.deepEqual(unused, [], `${name} imports none of these`);
  }
});

async function dependenciesOf(name: string): Promise<string[]> {
  const { dependencies } = (await readJson(name, "package.json")) as { dependencies: Record<string, string> };
  return Object.keys(dependencies).filter((dependency) => !dependency.startsWith("@tijolo/"));
}

async function peersOf(name: string, dependency: string): Promise<string[]> {
  const manifest = (await readJson(name, "node_modules", dependency, "package.json")) as {
    peerDependencies?: Record<string, string>;
  };
  return Object.keys(manifest.peerDependencies ?? {});
}

async function readJson(...path: string[]): Promise<unknown> {
  return JSON.parse(await readFile(join(root, ...path), "utf8"));
}
