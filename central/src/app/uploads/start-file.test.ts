import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError, type ProjectSettings } from "@tijolo/protocol";
import { sampleSettings } from "../../../../test/support/samples.ts";
import { checkStartFile } from "./start-file.ts";

type Files = Record<string, string | null>;

function check(
  settings: Partial<ProjectSettings>,
  files: Files,
  before: Parameters<typeof checkStartFile>[2] = null,
): string | null {
  const program = sampleSettings({ entry: null, root: null, installCommand: null, ...settings });
  return checkStartFile(
    program,
    { files: new Set(Object.keys(files)), texts: new Map(Object.entries(files)) },
    before,
  );
}

/** Returns the text of the refusal; undefined when there is none. */
function refusal(
  ...given: Parameters<typeof check>
): { field: unknown; detail: string | undefined } | undefined {
  try {
    check(...given);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === "invalid_config", String(error));
    return { field: error.extra["field"], detail: error.detail?.pt };
  }
}

const isRefused = (...given: Parameters<typeof check>) => refusal(...given) !== undefined;
const scripts = (names: Record<string, string>) => JSON.stringify({ scripts: names });

test("an entry or a root that is not in the archive is refused, with what is similar", () => {
  assert.deepEqual(refusal({ entry: "index.js" }, { "src/index.js": "", "package.json": "{}" }), {
    field: "entry",
    detail: "index.js não está no .zip; há src/index.js.",
  });
  assert.deepEqual(refusal({ entry: "bot.py", language: "python" }, { "main.py": "" }), {
    field: "entry",
    detail: "bot.py não está no .zip.",
  });
  assert.deepEqual(
    refusal({ language: "static", root: "public" }, { "dist/index.html": "", "site/public/a.css": "" }),
    { field: "root", detail: "A pasta public não está no .zip; há site/public, dist." },
  );
});

test("the most similar names come first, at most three, and none of other people's files", () => {
  const files = [
    "b/Index.js",
    "a/index.js",
    "index.ts",
    "src/deep/index.js",
    "node_modules/x/index.js",
    "z.js",
  ];
  assert.equal(
    refusal({ entry: "index.js" }, Object.fromEntries(files.map((file) => [file, ""])))?.detail,
    "index.js não está no .zip; há a/index.js, src/deep/index.js, b/Index.js.",
  );
  assert.equal(
    refusal({ entry: "index.js" }, { "a\nb/index.js": "", [`${"x".repeat(120)}/index.js`]: "" })?.detail,
    "index.js não está no .zip.",
  );
});

test("what is there is accepted, however its path is written", () => {
  const accepted: [settings: Partial<ProjectSettings>, files: Files][] = [
    [{ entry: null }, {}],
    [{ entry: "./src//index.js" }, { "src/index.js": "" }],
    [{ entry: "index" }, { "index.js": "" }],
    [{ entry: "bot" }, { "bot/index.js": "" }],
    [{ language: "python", entry: "bot" }, { "bot/__main__.py": "" }],
    [{ language: "static", root: "" }, { "a.html": "" }],
    [{ language: "static", root: "./public/" }, { "public/a.html": "" }],
    [{ language: "go", entry: "cmd/bot" }, { "cmd/bot/main.go": "" }],
    [{ language: "go", entry: "cmd/bot/main.go" }, { "cmd/bot/bot.go": "" }],
    [{ language: "go", entry: "main.go" }, { "app.go": "" }],
    [{ language: "dotnet", entry: "App.csproj" }, { "App.csproj": "" }],
    [{ language: "dotnet", entry: "src/App" }, { "src/App/App.csproj": "" }],
  ];
  for (const [settings, files] of accepted)
    assert.equal(isRefused(settings, files), false, JSON.stringify(settings));
});

test("what the install could make is accepted, and what it could not is refused", () => {
  const rows: [isRefused: boolean, settings: Partial<ProjectSettings>, files: Files][] = [
    [true, { entry: "dist/a.js" }, {}],
    [true, { entry: "dist/a.js" }, { "tsconfig.json": "{}", "src/a.ts": "" }],
    [true, { entry: "dist/a.js" }, { "package.json": scripts({ start: "node a" }) }],
    [false, { entry: "dist/a.js" }, { "package.json": scripts({ build: "tsc" }) }],
    [false, { entry: "dist/a.js" }, { "package.json": scripts({ postinstall: "tsc" }) }],
    [false, { entry: "dist/a.js" }, { "package.json": scripts({ prepare: "tsc" }) }],
    [false, { entry: "dist/a.js" }, { "package.json": '{"workspaces": ["a"]}' }],
    [false, { entry: "dist/a.js" }, { "package.json": "{}", "binding.gyp": "" }],
    [false, { entry: "dist/a.js" }, { "package.json": null }],
    [false, { entry: "dist/a.js" }, { "package.json": "{" }],
    [false, { entry: "node_modules/bot/a.js" }, { "package.json": "{}" }],
    [true, { entry: "node_modules/bot/a.js" }, {}],
    [false, { entry: "dist/a.js", installCommand: "make" }, {}],
    [true, { entry: "dist/a.js", installCommand: " " }, { "package.json": scripts({ build: "tsc" }) }],
    [true, { language: "python", entry: "a.py" }, { "requirements.txt": "flask\n" }],
    [false, { language: "python", entry: "a.py" }, { "requirements.txt": "flask\n-e .\n" }],
    [false, { language: "python", entry: "a.py" }, { "pyproject.toml": "" }],
    [true, { language: "python", entry: "a.py" }, { "pyproject.toml": "", "uv.lock": "" }],
    [false, { language: "python", entry: ".venv/bin/a" }, { "requirements.txt": "" }],
    [true, { language: "java", entry: "app.jar" }, { "pom.xml": "" }],
    [true, { language: "go", entry: "cmd/bot/main.go" }, { "go.mod": "", "main.go": "" }],
    [true, { language: "php", entry: "a.php" }, { "composer.json": "{}" }],
    [false, { language: "php", entry: "a.php" }, { "composer.json": '{"scripts": {}}' }],
    [false, { language: "php", entry: "vendor/bin/a" }, { "composer.json": "{}" }],
    [true, { language: "ruby", entry: "a.rb" }, { Gemfile: 'gem "rack"' }],
    [false, { language: "ruby", entry: "a.rb" }, { Gemfile: "gemspec" }],
    [true, { language: "dotnet", entry: "x.dll" }, { "App.csproj": "" }],
    [false, { language: "dotnet", entry: "out/app.dll" }, { "App.csproj": "" }],
    [true, { language: "dotnet", entry: "Other.csproj" }, { "App.csproj": "" }],
    [true, { language: "elixir", entry: "a.exs" }, {}],
    [false, { language: "elixir", entry: "a.exs" }, { "mix.exs": "" }],
    [true, { language: "static", root: "dist" }, { "index.html": "" }],
    [false, { language: "static", root: "dist" }, { "package.json": scripts({ build: "vite build" }) }],
  ];
  for (const row of rows) {
    const [expected, settings, files] = row;
    assert.deepEqual([isRefused(settings, files), settings, files], row, String(expected));
  }
});

test("an entry of new code may be the program's own file, unless it came with the code of today", () => {
  const today = (entry: string, uploadedEntry: string | null) => ({ settings: { entry }, uploadedEntry });
  assert.equal(check({ entry: "a.js" }, {}, today("a.js", null)), null, "a PATCH named it");
  assert.equal(check({ entry: "a.js" }, {}, today("a.js", "b.js")), null);
  assert.ok(isRefused({ entry: "a.js" }, {}, today("a.js", "a.js")), "it goes with the old code");
  assert.ok(isRefused({ entry: "a.js" }, {}, today("b.js", "b.js")), "this upload names it");
  assert.equal(check({ entry: "a.js" }, { "a.js": "" }, today("a.js", "a.js")), "a.js");
  const root = { settings: { entry: null }, uploadedEntry: null };
  assert.ok(isRefused({ language: "static", root: "public" }, {}, root), "nothing of a static site writes");
});
