import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { AppError } from "../contract/app-error.ts";
import { getPlan } from "../nouns/plan.ts";
import { projectPatch, type ProjectConfig } from "./project-config.ts";
import { configOfSettings, resolveSettings } from "./project-settings.ts";

const plan = getPlan("Empresas");
const resolve = (config: ProjectConfig) => resolveSettings(config, plan);
const isAllowed = (patch: object) => projectPatch.safeParse(patch).success;

/** Kinds of project whose command runs their entry, and a name that their entries end with. */
const runners: readonly (ProjectConfig & { end: string })[] = [
  { language: "node", end: ".js" },
  { language: "node", end: ".ts" },
  { language: "python", end: "" },
  { language: "java", end: ".jar" },
  { language: "php", end: ".php" },
  { language: "php", type: "site", end: ".php" },
  { language: "ruby", end: "" },
  { language: "dotnet", end: ".dll" },
  { language: "elixir", end: ".exs" },
];

/** User id for a shell that receives what may turn out to be a command. */
const nobody = 65_534;
const withoutRights = {
  cwd: "/",
  env: { PATH: "" },
  ...(process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}),
};

const oddNames = [
  "my file",
  "a;b",
  "it's",
  "src/(a)",
  "$HOME",
  "`id`",
  "~root/a",
  "[ab]",
  "{a,b}",
  "a#b",
  "#a",
  "*",
  "a\u00a0b",
  "café",
  "🎉",
  "'",
  "a|b",
  "!",
];
const entries = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...oddNames),
      fc.string({ maxLength: 20 }),
      fc.string({ unit: "binary", maxLength: 20 }),
    ),
    fc.constantFrom(...runners),
  )
  .map(([name, { end, ...kind }]): ProjectConfig => ({ ...kind, entry: `${name}${end}` }))
  .filter(({ entry }) => entry !== "" && isAllowed({ entry }));

test("an entry makes a command of which the shell reads that one file, and which is read back to that entry", () => {
  fc.assert(
    fc.property(fc.array(entries, { minLength: 20, maxLength: 40 }), (configs) => {
      const commands = configs.map((config) => resolve(config).command);
      const script = commands
        .map((command) => `set -- ${command}; shift $(($# - 1)); printf '%s\\n' "$1"`)
        .join("\n");
      const { stdout } = spawnSync("/bin/sh", ["-c", script], { encoding: "utf8", ...withoutRights });
      assert.deepEqual(
        stdout.split("\n").slice(0, -1),
        configs.map(({ entry }) => entry),
      );
      for (const [index, { entry, ...kind }] of configs.entries()) {
        assert.equal(resolve({ ...kind, command: commands[index] }).entry, entry, commands[index]);
      }
    }),
    { numRuns: 50 },
  );
});

test("a command that runs a file by a name that nothing is special in stays as people write it", () => {
  for (const name of ["index.js", "src/main-2.test.mjs", "./a_b.js", "@scope/a+b:c.js", "ação/índice.js"]) {
    assert.equal(resolve({ language: "node", entry: name }).command, `node ${name}`);
  }
});

test("what is no path inside of the project is no entry: the command is the owner's own", () => {
  const files = [
    "../../etc/shadow",
    "a/../../b.js",
    "..",
    "/etc/shadow",
    "-v",
    "'-v'",
    "a\\b.js",
    "''",
    "x".repeat(256),
    "a b",
    "$HOME/a.js",
    "[ab].js",
    "~/a.js",
    "#a",
  ];
  for (const language of ["node", "python", "java", "php", "ruby", "dotnet", "elixir"] as const) {
    const { command: known } = resolve({ language, entry: "known.dll" });
    for (const file of files) {
      const command = known.replace("known.dll", `${file}${language === "dotnet" ? ".dll" : ""}`);
      if (language === "dotnet" && file === "..") continue; // `...dll` is a plain name
      const settings = resolve({ language, command });
      assert.deepEqual([settings.command, settings.entry], [command, null]);
    }
  }
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), (file) => {
      const { entry } = resolve({ language: "node", command: `node ${file}` });
      assert.ok(entry === null || isAllowed({ entry }), String(entry));
    }),
  );
});

test("no path leads out of the project, whatever characters are in it", () => {
  for (const path of [
    "..",
    "../a",
    "a/..",
    "a/../b",
    "\u2028/../../etc",
    "a\u2029b/../..",
    "\u2028..\u2028/..",
    "/a",
    "a\\..\\b",
  ]) {
    assert.deepEqual([path, isAllowed({ entry: path }), isAllowed({ root: path })], [path, false, false]);
  }
  for (const path of ["..a", "a..", "a/...", "\u2028", "a b/c"])
    assert.ok(isAllowed({ entry: path }) && isAllowed({ root: path }), path);
});

test("a start file whose name begins like an option is refused; a folder may be called so", () => {
  assert.deepEqual(
    [isAllowed({ entry: "-v" }), isAllowed({ entry: "--import=x.js" }), isAllowed({ root: "-v" })],
    [false, false, true],
  );
  assert.ok(isAllowed({ entry: "./-v" }));
});

/** Anything that may be said of the start. */
const configs = fc
  .record(
    {
      type: fc.constantFrom("bot" as const, "site" as const),
      entry: fc.constantFrom(
        "",
        "a.js",
        "b.ts",
        "my file.js",
        "x.dll",
        "out/app.dll",
        "a.csproj",
        "cmd/bot",
        "it's.php",
      ),
      command: fc.constantFrom(
        "",
        "npm start",
        "tsx a.js",
        "node b.ts",
        "node 'my file.js'",
        "node my file.js",
        "php a.php",
        "php-server",
        "php-server a.php",
        "dotnet x.dll",
        "dotnet out/app.dll",
        "dotnet run",
        "./out/app",
        "mix run --no-halt",
        "mix run --no-halt a.js",
      ),
    },
    { requiredKeys: [] },
  )
  .chain((start) =>
    fc
      .constantFrom("node", "php", "go", "dotnet", "elixir", "ruby")
      .map((language) => ({ ...start, language })),
  );

test("settings that nobody changes stay what they are", () => {
  let resolved = 0;
  fc.assert(
    fc.property(configs, (config) => {
      const settings = find(config);
      if (settings === undefined) return;
      resolved += 1;
      assert.deepEqual(resolve(configOfSettings(settings)), settings);
    }),
    { numRuns: 2000 },
  );
  assert.ok(resolved > 500, `${resolved}`);
});

test("of .NET an entry that is run follows the command, and one that is published stands beside it", () => {
  const start = (config: ProjectConfig) => {
    const { entry, command } = resolve({ language: "dotnet", ...config });
    return [entry, command];
  };
  assert.throws(() => start({ entry: "x.dll", command: "dotnet y.dll" }), { code: "invalid_config" });
  assert.deepEqual(start({ entry: "x.dll", command: "dotnet run" }), [null, "dotnet run"]);
  assert.deepEqual(start({ entry: "a.csproj", command: "dotnet y.dll" }), ["a.csproj", "dotnet y.dll"]);
  assert.deepEqual(start({ entry: "a.csproj", command: "dotnet run" }), ["a.csproj", "dotnet run"]);
  assert.deepEqual(start({ entry: "a.csproj" }), ["a.csproj", "dotnet out/app.dll"]);
});

/** Returns the settings; undefined where the configuration is refused. */
function find(config: ProjectConfig) {
  try {
    return resolve(config);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
