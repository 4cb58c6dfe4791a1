/** Defines the cases of the versions and behaviours of languages, as far as the API shows them. */

import assert from "node:assert/strict";
import type { Chapter, ConformanceCase } from "../conformance-case.ts";
import { assertRefused, page } from "../spec-client.ts";
import { versions } from "../spec-project.ts";
import type { RowId } from "../spec-rows.ts";

const commands: Record<string, string> = {
  node: "npm start",
  python: "python -m bot",
  java: "java -jar app.jar",
  go: "./out/app",
  php: "php index.php",
  ruby: "ruby main.rb",
  dotnet: "dotnet out/app.dll",
  elixir: "mix run --no-halt",
};

function versionCase(language: string, row: RowId): ConformanceCase {
  return {
    rows: [row],
    title: `${language} has exactly its versions`,
    async show(world) {
      const client = await world.client({ plan: "Empresas" });
      const config = language === "static" ? page : { language, command: commands[language] };
      for (const version of versions[language] ?? []) {
        const created = await client.create({ ...config, version });
        assert.deepEqual([created.language, created.version], [language, version]);
      }
      assert.ok(versions[language]?.includes((await client.create(config)).version));
      for (const wrong of ["0", "99", language === "static" ? "1" : "", "latest", "24.0"]) {
        assertRefused(
          await client.upload("/projects", { ...config, version: wrong }),
          422,
          "unsupported_language",
          {
            supported: versions,
          },
        );
      }
    },
  };
}

/** Language, a command that is only its interpreter and a file, and that file. */
const derivations: readonly [row: RowId, language: string, command: string, entry: string][] = [
  ["entry.node", "node", "node src/index.js", "src/index.js"],
  ["entry.tsx", "node", "tsx src/index.ts", "src/index.ts"],
  ["entry.python", "python", "python main.py", "main.py"],
  ["entry.java", "java", "java -jar target/app.jar", "target/app.jar"],
  ["entry.php", "php", "php index.php", "index.php"],
  ["entry.ruby", "ruby", "ruby main.rb", "main.rb"],
  ["entry.dotnet", "dotnet", "dotnet out/App.dll", "out/App.dll"],
  ["entry.elixir", "elixir", "mix run --no-halt bot.exs", "bot.exs"],
];

const derivationCases = derivations.map(([row, language, command, entry]): ConformanceCase => ({
  rows: [row],
  title: `${command} has the entry ${entry}, and the entry alone runs ${command}`,
  async show(world) {
    const client = await world.client({ plan: "Empresas" });
    const byCommand = await client.create({ language, command });
    assert.deepEqual([byCommand.entry, byCommand.command], [entry, command]);
    const byEntry = await client.create({ language, entry });
    assert.deepEqual([byEntry.entry, byEntry.command], [entry, command]);
    const emptyCommand = await client.create({ language, entry, command: "" });
    assert.deepEqual(
      [emptyCommand.entry, emptyCommand.command],
      [entry, command],
      "an empty command runs the entry file",
    );
    for (const more of [`${command} --flag`, `${command} && true`, `NODE_ENV=x ${command}`]) {
      assert.equal((await client.create({ language, command: more })).entry, null, more);
    }
  },
}));

export const language: Chapter = {
  title: "Languages",
  cases: [
    versionCase("node", "version.node"),
    versionCase("python", "version.python"),
    versionCase("java", "version.java"),
    versionCase("go", "version.go"),
    versionCase("php", "version.php"),
    versionCase("ruby", "version.ruby"),
    versionCase("dotnet", "version.dotnet"),
    versionCase("elixir", "version.elixir"),
    versionCase("static", "version.static"),
    {
      rows: ["version.supported", "error.unsupported_language"],
      title:
        "a language or version outside the list is unsupported_language, with the wide list in supported",
      async show(world) {
        const client = await world.client();
        for (const config of [
          { language: "cobol", command: "run" },
          { language: "Node", command: "run" },
          { language: "node", version: "18", command: "run" },
        ]) {
          assertRefused(await client.upload("/projects", config), 422, "unsupported_language", {
            supported: versions,
          });
        }
      },
    },
    ...derivationCases,
    {
      rows: ["entry.custom"],
      title: "entry is null with a custom command",
      async show(world) {
        const client = await world.client({ plan: "Empresas" });
        for (const [name, command] of [
          ["node", "npm start"],
          ["python", "python -m bot"],
          ["ruby", "bundle exec ruby main.rb"],
          ["dotnet", "dotnet run"],
          ["elixir", "mix phx.server"],
          ["elixir", "mix run --no-halt"],
        ] as const) {
          const created = await client.create({ language: name, command });
          assert.deepEqual([created.entry, created.command], [null, command]);
        }
      },
    },
    {
      rows: ["language.go", "language.dotnet"],
      title: "go and dotnet keep the entry that the build compiles, or none, beside their start command",
      async show(world) {
        const client = await world.client({ plan: "Empresas" });
        const root = await client.create({ language: "go" });
        assert.equal(root.entry, null);
        assert.ok(root.command.length > 0, "the build's program");
        const folder = await client.create({ language: "go", entry: "cmd/bot/main.go" });
        assert.deepEqual([folder.entry, folder.command], ["cmd/bot/main.go", root.command]);
        const published = await client.create({ language: "dotnet", entry: "src/Bot/Bot.csproj" });
        assert.equal(published.entry, "src/Bot/Bot.csproj");
        assert.ok(published.command.startsWith("dotnet "), published.command);
        const ready = await client.create({ language: "dotnet", entry: "Bot.dll" });
        assert.deepEqual([ready.entry, ready.command], ["Bot.dll", "dotnet Bot.dll"]);
      },
    },
    {
      rows: ["language.java", "language.php_ruby"],
      title: "java runs a jar, ruby and php bots their file, and php sites the service's own server",
      async show(world) {
        const client = await world.client({ plan: "Empresas" });
        const commandOf = async (config: Record<string, unknown>) => (await client.create(config)).command;
        assert.equal(await commandOf({ language: "java", entry: "app.jar" }), "java -jar app.jar");
        assert.equal(await commandOf({ language: "ruby", entry: "main.rb" }), "ruby main.rb");
        assert.equal(await commandOf({ language: "php", entry: "bot.php" }), "php bot.php");
        const site = await client.create({ language: "php", type: "site", subdomain: "php-server-site" });
        assert.deepEqual([site.entry, site.command.length > 0], [null, true]);
        const opened = await client.create({
          language: "php",
          type: "site",
          subdomain: "php-server-entry",
          entry: "web/index.php",
        });
        assert.deepEqual([opened.entry, opened.command], ["web/index.php", `${site.command} web/index.php`]);
      },
    },
    {
      rows: ["language.elixir"],
      title: "elixir runs mix run --no-halt by itself",
      async show(world) {
        const client = await world.client();
        assert.equal((await client.create({ language: "elixir" })).command, "mix run --no-halt");
      },
    },
    {
      rows: ["language.static"],
      title:
        "static has no version, command, entry, automatic install or packages, is a site, and refuses what it cannot use",
      async show(world) {
        const client = await world.client();
        const { type, version, command, entry, installCommand, root, systemPackages, port } =
          await client.create(page);
        assert.deepEqual(
          { type, version, command, entry, installCommand, root, systemPackages },
          {
            type: "site",
            version: "",
            command: "",
            entry: null,
            installCommand: null,
            root: "",
            systemPackages: [],
          },
        );
        assert.ok(port === null || Number.isInteger(port));
        const refusals: [object, string][] = [
          [{ command: "npm start" }, "command"],
          [{ systemPackages: ["git"] }, "systemPackages"],
          [{ type: "bot" }, "type"],
          [{ root: "../etc" }, "root"],
        ];
        for (const [wrong, field] of refusals) {
          assertRefused(await client.upload("/projects", { ...page, ...wrong }), 422, "invalid_config", {
            field,
          });
        }
      },
    },
  ],
};
