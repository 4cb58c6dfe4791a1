import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import type { ProjectSettings } from "@tijolo/protocol";
import { sampleAssignment } from "../../../test/support/samples.ts";
import { installNotes, planInstall } from "./install-plan.ts";
import type { SourceTree } from "./language-rules.ts";
import { ownerText } from "../../../test/support/projects/owner-text.ts";

function treeOf(files: Record<string, string>): SourceTree {
  return {
    has: (path) => path in files,
    hasFolder: (path) => Object.keys(files).some((file) => file.startsWith(`${path}/`)),
    read: (path) => files[path],
    digests: () => undefined,
  };
}

function plan(
  language: ProjectSettings["language"],
  files: Record<string, string>,
  settings: Partial<ProjectSettings> = {},
) {
  return planInstall(
    { ...sampleAssignment().settings, language, installCommand: null, entry: null, ...settings },
    treeOf(files),
  );
}

function commands(...parameters: Parameters<typeof plan>): string[] {
  return plan(...parameters).map(({ command }) => command);
}

const manifest = JSON.stringify({ dependencies: { ws: "8" } });
const withBuild = JSON.stringify({ scripts: { build: "tsc" } });

test("the owner's install command replaces the automatic one, and an empty one installs nothing", () => {
  assert.deepEqual(plan("node", { "package.json": manifest }, { installCommand: "make" }), [
    { name: "build", command: "make", inputs: null },
  ]);
  assert.deepEqual(plan("node", { "package.json": manifest }, { installCommand: " " }), []);
});

test("each lock file has its package manager", () => {
  const install = (lock: string, text = "") => commands("node", { "package.json": withBuild, [lock]: text });
  assert.deepEqual(install("package-lock.json"), ["npm ci", "npm run build"]);
  assert.deepEqual(install("npm-shrinkwrap.json"), ["npm ci", "npm run build"]);
  assert.deepEqual(install("pnpm-lock.yaml"), ["pnpm install --frozen-lockfile", "pnpm run build"]);
  assert.deepEqual(install("yarn.lock"), [
    "yarn install --frozen-lockfile --non-interactive",
    "yarn run build",
  ]);
  assert.deepEqual(install("bun.lock"), ["bun install --frozen-lockfile", "bun run build"]);
  assert.deepEqual(install("index.js"), ["npm install", "npm run build"]);
  assert.deepEqual(commands("node", { "index.js": "" }), []);
  assert.deepEqual(commands("node", { "package.json": "{" }), ["npm install"]);
});

test("a lock file of a modern yarn is for it, with packages where plain Node finds them", () => {
  const lock = "# x\n\n__metadata:\n  version: 10\n";
  const install = (files: Record<string, string>) =>
    commands("node", { "package.json": withBuild, "yarn.lock": lock, ...files });
  assert.match(install({})[0] ?? "", /^YARN_NODE_LINKER=node-modules yarn-berry install --immutable && /);
  assert.match(
    install({ ".yarnrc.yml": "nodeLinker: node-modules\n" })[0] ?? "",
    /^yarn-berry install --immutable && /,
  );
  assert.match(
    install({ ".pnp.cjs": "" })[0] ?? "",
    /^YARN_ENABLE_GLOBAL_CACHE=false yarn-berry install --immutable && /,
  );
  assert.equal(install({})[1], "yarn-berry run build");
  assert.match(
    install({ "yarn.lock": lock.replace("10", "8") })[0] ?? "",
    / yarn-berry install --no-immutable && /,
    "of an earlier yarn",
  );
});

test("package.json's own packageManager decides between lock files, and without one", () => {
  const install = (packageManager: unknown, files: Record<string, string> = {}) =>
    commands("node", {
      "package.json": JSON.stringify({ packageManager, scripts: { build: "tsc" } }),
      ...files,
    });
  assert.deepEqual(install("pnpm@10.1.0"), ["pnpm install --no-frozen-lockfile", "pnpm run build"]);
  assert.deepEqual(install("yarn@1.22.22"), ["yarn install --non-interactive", "yarn run build"]);
  assert.match(install("yarn@4.9.1", { "yarn.lock": "" })[0] ?? "", /yarn-berry install --no-immutable/);
  assert.equal(install("yarn@4.9.1")[1], "yarn-berry run build");
  assert.deepEqual(install("bun@1.2.0"), ["bun install", "bun run build"]);
  assert.deepEqual(install("npm@11.0.0"), ["npm install", "npm run build"]);
  const both = { "package-lock.json": "{}", "pnpm-lock.yaml": "", "yarn.lock": "" };
  assert.deepEqual(install("npm@11.0.0", both), ["npm ci", "npm run build"]);
  assert.deepEqual(install("yarn@1.22.22", both), [
    "yarn install --frozen-lockfile --non-interactive",
    "yarn run build",
  ]);
  assert.equal(install(undefined, both)[0], "pnpm install --frozen-lockfile", "nobody names one");
  assert.equal(install(["pnpm@9"], both)[1], "pnpm run build", "a wrong value hides nothing else");
  assert.deepEqual(
    install("pnpm@10.1.0", { "package-lock.json": "{}" }),
    ["npm ci", "npm run build"],
    "a lock file alone decides",
  );
});

test("packages whose install reads files of the project are installed with every upload", () => {
  const inputs = (dependencies: Record<string, string>, lock: string, text: string) =>
    plan("node", { "package.json": JSON.stringify({ dependencies }), [lock]: text })[0]?.inputs;
  assert.equal(inputs({ "@prisma/client": "6" }, "package-lock.json", "{}"), null);
  assert.equal(inputs({ prisma: "6" }, "pnpm-lock.yaml", ""), null);
  const brought = {
    "package-lock.json": '{ "packages": { "node_modules/@prisma/client": { "hasInstallScript": true } } }',
    "pnpm-lock.yaml": "packages:\n\n  '@prisma/client@6.1.0':\n",
    "yarn.lock": "# yarn lockfile v1\n\nprisma@^6.0.0:\n",
    "bun.lock": '{ "packages": { "prisma": ["prisma@6.1.0"] } }',
  };
  for (const [lock, text] of Object.entries(brought))
    assert.equal(inputs({ ours: "1" }, lock, text), null, lock);
  const native = {
    packages: {
      "node_modules/better-sqlite3": { hasInstallScript: true },
      "node_modules/drizzle-orm": { peerDependencies: { "@prisma/client": "*" } },
    },
  };
  assert.notEqual(inputs({ "drizzle-orm": "1" }, "package-lock.json", JSON.stringify(native)), null);
});

test("an install is found again by its files only where nothing else decides it", () => {
  const inputs = (files: Record<string, string>) =>
    plan("node", { "package-lock.json": "{}", ...files })[0]?.inputs;
  assert.ok(inputs({ "package.json": manifest })?.includes("package-lock.json"));
  assert.equal(inputs({ "package.json": JSON.stringify({ scripts: { postinstall: "node x.js" } }) }), null);
  assert.equal(inputs({ "package.json": JSON.stringify({ dependencies: { a: "file:a" } }) }), null);
  assert.equal(inputs({ "package.json": JSON.stringify({ workspaces: ["packages/*"] }) }), null);
  assert.equal(
    plan("node", { "package.json": manifest })[0]?.inputs,
    null,
    "without a lock file the registry decides too",
  );
});

test("Python projects are installed by the tool whose files they have", () => {
  assert.deepEqual(commands("python", { "requirements.txt": "flask\n" }), [
    "python -m venv .venv && .venv/bin/pip install -r requirements.txt",
  ]);
  assert.deepEqual(plan("python", { "requirements.txt": "flask\n" })[0]?.inputs, ["requirements.txt"]);
  for (const line of ["-e .", "./wheels/a.whl", "flask\n\n \t-r other.txt", "a @ file:///app/a"]) {
    assert.equal(plan("python", { "requirements.txt": `${line}\n` })[0]?.inputs, null, line);
  }
  assert.match(
    commands("python", { "pyproject.toml": "[project]\n", "uv.lock": "" })[0] ?? "",
    /uv sync --frozen --no-dev/,
  );
  assert.match(
    commands("python", { "pyproject.toml": "[tool.poetry]\n", "poetry.lock": "" })[0] ?? "",
    /poetry install --only main/,
  );
  assert.match(
    commands("python", { "pyproject.toml": '[project]\nname = "a"\n' })[0] ?? "",
    /pip install \.$/,
  );
  assert.deepEqual(commands("python", { "pyproject.toml": "[tool.black]\n" }), []);
});

test("a file of nothing but space takes no longer to read than any other", () => {
  const startedMs = performance.now();
  for (const space of ["\n", " ", "\t\r", "\u2028"]) {
    assert.deepEqual(plan("python", { "requirements.txt": space.repeat(150_000) })[0]?.inputs, [
      "requirements.txt",
    ]);
  }
  assert.ok(performance.now() - startedMs < 10_000);
});

test("what is not installed is said, unless the owner's own command installs it", () => {
  const notes = (files: Record<string, string>, installCommand: string | null = null) =>
    installNotes({ ...sampleAssignment().settings, language: "python", installCommand }, treeOf(files)).map(
      ownerText,
    );
  assert.deepEqual(notes({ Pipfile: "" }), [
    "Pipfile não é lido: envie um requirements.txt (pipenv requirements > requirements.txt).",
  ]);
  assert.deepEqual(notes({ Pipfile: "", "requirements.txt": "" }), []);
  assert.deepEqual(notes({ Pipfile: "" }, "pipenv sync"), []);
  assert.deepEqual(notes({ "main.py": "" }), []);
});

test("which version the project's files ask for is said, and where the project uses another", () => {
  const notes = (files: Record<string, string>, settings: Partial<ProjectSettings> = {}) =>
    installNotes(
      { ...sampleAssignment().settings, language: "node", version: "22", ...settings },
      treeOf(files),
    ).map(ownerText);
  assert.deepEqual(notes({ ".nvmrc": "v22.1.0\n" }), ["Usa node 22, como pede .nvmrc: v22.1.0."]);
  const engines = { "package.json": JSON.stringify({ engines: { node: "18.x" } }) };
  const refused =
    "package.json (engines.node) pede 18.x, mas o projeto usa node 22. As versões são 20, 22, 24 e 26: para usar outra, ponha version no svc.json.";
  assert.deepEqual(notes(engines), [refused]);
  assert.deepEqual(notes(engines, { installCommand: "npm ci" }), [refused], "whatever installs it");
  assert.deepEqual(notes({ "package.json": "{}" }), []);
  assert.deepEqual(notes({ ".nvmrc": "22" }, { language: "static", version: "" }), []);
});

test("a tool that cannot be fetched ends the install", () => {
  const [command = ""] = commands("python", { "pyproject.toml": "[project]\n", "uv.lock": "" });
  const failing = "no-such-tool";
  const shell = command
    .replaceAll(/\buv\b/g, failing)
    .replace("python -m venv", "false")
    .replace("python -m venv", "echo ran");
  const { status, stdout } = spawnSync("/bin/sh", ["-c", shell], {
    encoding: "utf8",
    env: { PATH: "/usr/bin:/bin", HOME: "/nonexistent" },
  });
  assert.notEqual(status, 0);
  assert.equal(stdout, "", shell);
});

test("Go compiles the folder of its entry", () => {
  const build = (entry: string | null) => commands("go", { "go.mod": "module a\n" }, { entry });
  assert.deepEqual(build(null), ["go build -o out/app ."]);
  assert.deepEqual(build("main.go"), ["go build -o out/app ."]);
  assert.deepEqual(build("cmd/bot/main.go"), ["go build -o out/app ./cmd/bot"]);
  assert.deepEqual(build("cmd/bot"), ["go build -o out/app ./cmd/bot"]);
  assert.deepEqual(build("cmd/$(x)/main.go"), ["go build -o out/app './cmd/$(x)'"]);
});

test("Go builds in the nearest module or workspace above its entry", () => {
  const build = (entry: string | null, ...files: string[]) =>
    commands("go", Object.fromEntries(files.map((file) => [file, ""])), { entry });
  assert.deepEqual(build("api/cmd/bot/main.go", "api/go.mod"), ["go build -C ./api -o ../out/app ./cmd/bot"]);
  assert.deepEqual(build("./api/v2/", "go.mod", "api/v2/go.mod"), [
    "go build -C ./api/v2 -o ../../out/app .",
  ]);
  assert.deepEqual(build("api", "go.work", "api/go.mod"), ["go build -C ./api -o ../out/app ."]);
  assert.deepEqual(
    build("api/cmd", "go.work"),
    ["go build -o out/app ./api/cmd"],
    "never a module beside a workspace",
  );
  assert.deepEqual(build("main.go"), ["go mod init app && go mod tidy && go build -o out/app ."]);
  assert.deepEqual(build("cmd/main.go", "other/go.mod"), [
    "go mod init app && go mod tidy && go build -o out/app ./cmd",
  ]);
});

test("PHP, Ruby, .NET, Elixir and Java", () => {
  assert.deepEqual(commands("php", { "composer.json": "{}" }), [
    "composer install --no-dev --no-progress --prefer-dist",
  ]);
  assert.deepEqual(commands("php", { "index.php": "" }), []);
  const composer = (config: object) =>
    plan("php", { "composer.json": JSON.stringify({ config }), "composer.lock": "{}" })[0]?.inputs;
  assert.ok(composer({ "sort-packages": true })?.includes("composer.lock"));
  for (const name of ["optimize-autoloader", "classmap-authoritative", "allow-plugins"])
    assert.equal(composer({ [name]: true }), null, name);
  assert.deepEqual(commands("ruby", { Gemfile: "gem 'sinatra'\n", "Gemfile.lock": "" }), [
    "BUNDLE_FROZEN=true bundle install --jobs 2",
  ]);
  assert.deepEqual(commands("dotnet", {}, { entry: "src/Web/Web.csproj" }), [
    'TijoloPublishedProject="$(pwd -P)"/src/Web/Web.csproj dotnet publish src/Web/Web.csproj --configuration Release --output out',
  ]);
  assert.deepEqual(commands("dotnet", {}, { entry: "./src/A b/" }), [
    "TijoloPublishedProject=\"$(pwd -P)\"'/src/A b' dotnet publish './src/A b/' --configuration Release --output out",
  ]);
  assert.deepEqual(commands("dotnet", {}), [
    'TijoloPublishedProject="$(pwd -P)" dotnet publish --configuration Release --output out',
  ]);
  assert.deepEqual(commands("dotnet", {}, { entry: "Web.dll" }), []);
  assert.deepEqual(
    commands("dotnet", { "out/app.dll": "" }, { entry: "out/app.dll" }),
    [],
    "a ready one of that name",
  );
  assert.deepEqual(
    commands("dotnet", {}, { entry: "out/app.dll" }),
    commands("dotnet", {}),
    "what is published",
  );
  assert.deepEqual(commands("elixir", { "mix.exs": "defmodule A.MixProject do" }), ["mix compile"]);
  assert.match(
    commands("elixir", { "mix.exs": "defp deps do" })[0] ?? "",
    /mix deps.get --only prod && mix compile$/,
  );
  assert.deepEqual(commands("java", { "bot.jar": "" }), []);
});
