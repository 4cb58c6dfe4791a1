/**
 * Defines the cases of what a change of settings makes of `entry` and `command`: which are read from each
 * other, and which go with type and language.
 */

import assert from "node:assert/strict";
import { zipOf } from "../../support/archives/zip-of.ts";
import type { ConformanceCase } from "../conformance-case.ts";
import { assertRefused, projectOf, type SpecClient } from "../spec-client.ts";
import type { RowId } from "../spec-rows.ts";

/** Entry and command that a project runs, or the field of the `invalid_config` that says why not. */
type Start = readonly [entry: string | null, command: string] | string;

interface StartCase {
  rows: readonly RowId[];
  title: string;
  /** The `svc.json` that a project is created with. */
  from: object;
  start: Start;
  /**
   * Changes sent after that, one upon the other: by PATCH, or new code with an `svc.json`; and what the
   * project then runs.
   */
  changes: readonly (readonly [change: { patch: object } | { svcJson: object }, start: Start])[];
}

const phpSite = { language: "php", type: "site", memoryMb: 512 };

const cases: readonly StartCase[] = [
  ...["my file.js", "a;b.js", "it's.js", "src/(a).js", "$(x).js", "[id].js"].map((entry): StartCase => {
    const start: Start = [entry, `node '${entry.replace("'", "'\\''")}'`];
    return {
      rows: ["patch.1", "entry.node"],
      title: `the command of the entry ${entry} runs that one file, and goes on doing so`,
      from: { language: "node", entry },
      start,
      changes: [
        [{ patch: { memoryMb: 300 } }, start],
        [{ patch: { command: start[1] } }, start],
        [{ patch: { command: "npm start" } }, [null, "npm start"]],
        [{ patch: { command: start[1] } }, start],
      ],
    };
  }),
  {
    rows: ["patch.1", "entry.elixir"],
    title: "so does that of an Elixir script with a space in its name",
    from: { language: "elixir", entry: "my bot.exs" },
    start: ["my bot.exs", "mix run --no-halt 'my bot.exs'"],
    changes: [[{ patch: { memoryMb: 300 } }, ["my bot.exs", "mix run --no-halt 'my bot.exs'"]]],
  },
  {
    rows: ["entry.custom"],
    title: "a command that runs what is no file of the project is a custom one",
    from: { language: "node", command: "node ../../etc/shadow" },
    start: [null, "node ../../etc/shadow"],
    changes: [
      [{ patch: { command: "node /etc/shadow" } }, [null, "node /etc/shadow"]],
      [{ patch: { command: `node ${"x".repeat(256)}` } }, [null, `node ${"x".repeat(256)}`]],
      [{ patch: { command: "node -v" } }, [null, "node -v"]],
    ],
  },
  {
    rows: ["entry.dotnet", "language.dotnet"],
    title: "the .dll of a .NET project follows its command",
    from: { language: "dotnet", entry: "x.dll" },
    start: ["x.dll", "dotnet x.dll"],
    changes: [
      [{ patch: { command: "dotnet y.dll" } }, ["y.dll", "dotnet y.dll"]],
      [{ svcJson: { language: "dotnet", command: "dotnet z.dll" } }, ["z.dll", "dotnet z.dll"]],
      [{ patch: { entry: "z.dll", command: "dotnet y.dll" } }, "entry"],
      [{ patch: { command: "dotnet run" } }, [null, "dotnet run"]],
      [{ patch: { entry: "a.csproj", command: "dotnet y.dll" } }, ["a.csproj", "dotnet y.dll"]],
      [{ patch: { memoryMb: 300 } }, ["a.csproj", "dotnet y.dll"]],
      [{ patch: { command: "" } }, ["a.csproj", "dotnet out/app.dll"]],
    ],
  },
  {
    rows: ["entry.dotnet", "patch.8"],
    title: "an entry and a command that run two .dll are refused",
    from: { language: "dotnet", entry: "x.dll", command: "dotnet y.dll" },
    start: "entry",
    changes: [],
  },
  {
    rows: ["language.dotnet", "patch.1"],
    title: "a .NET project that is published stays so, also when its own command is sent back",
    from: { language: "dotnet" },
    start: [null, "dotnet out/app.dll"],
    changes: [
      [{ patch: { memoryMb: 300 } }, [null, "dotnet out/app.dll"]],
      [{ patch: { command: "dotnet out/app.dll" } }, [null, "dotnet out/app.dll"]],
    ],
  },
  {
    rows: ["patch_field.type", "language.php_ruby"],
    title: "a PHP project's start goes with its type, both ways",
    from: { language: "php", entry: "index.php" },
    start: ["index.php", "php index.php"],
    changes: [
      [{ patch: { type: "site", memoryMb: 512 } }, ["index.php", "php-server index.php"]],
      [{ patch: { type: "bot" } }, ["index.php", "php index.php"]],
      [{ svcJson: phpSite }, [null, "php-server"]], // the svc.json names the entry no more
    ],
  },
  {
    rows: ["patch_field.type", "language.php_ruby", "patch.8"],
    title: "a PHP site that opens by itself is no bot until something is named that runs",
    from: phpSite,
    start: [null, "php-server"],
    changes: [
      [{ patch: { type: "bot" } }, "command"],
      [{ patch: { type: "bot", entry: "bot.php" } }, ["bot.php", "php bot.php"]],
    ],
  },
  {
    rows: ["patch_field.type", "entry.custom"],
    title: "a custom command stays with another type",
    from: { language: "php", command: "php artisan queue:work" },
    start: [null, "php artisan queue:work"],
    changes: [
      [{ patch: { type: "site", memoryMb: 512 } }, [null, "php artisan queue:work"]],
      [{ patch: { type: "bot" } }, [null, "php artisan queue:work"]],
    ],
  },
  {
    rows: ["patch_field.command", "entry.tsx"],
    title: "an empty command leaves one that runs the entry file already",
    from: { language: "node", command: "tsx a.js" },
    start: ["a.js", "tsx a.js"],
    changes: [
      [{ patch: { command: "" } }, ["a.js", "tsx a.js"]],
      [{ patch: { entry: "a.js", command: "" } }, ["a.js", "tsx a.js"]],
      [{ patch: { entry: "b.js", command: "" } }, ["b.js", "node b.js"]],
      [{ patch: { command: "node b.ts" } }, ["b.ts", "node b.ts"]],
      [{ patch: { command: " ", memoryMb: 300 } }, ["b.ts", "node b.ts"]],
    ],
  },
  {
    rows: ["patch_field.command", "entry.php"],
    title: "also one of a PHP site, whose own server would be another",
    from: { ...phpSite, command: "php web/index.php" },
    start: ["web/index.php", "php web/index.php"],
    changes: [
      [{ patch: { command: "" } }, ["web/index.php", "php web/index.php"]],
      [{ patch: { entry: "b.php" } }, ["b.php", "php-server b.php"]],
      [{ patch: { command: "" } }, ["b.php", "php-server b.php"]],
    ],
  },
  {
    rows: ["patch_field.language", "language.go", "patch.8"],
    title: "the program of a Go build goes with the language",
    from: { language: "go", entry: "cmd/bot" },
    start: ["cmd/bot", "./out/app"],
    changes: [
      [{ patch: { language: "node" } }, "command"],
      [{ patch: { language: "node", entry: "a.js" } }, ["a.js", "node a.js"]],
      [{ patch: { language: "python" } }, "command"],
      [{ patch: { command: "npm start" } }, [null, "npm start"]],
      [{ patch: { language: "python" } }, [null, "npm start"]],
    ],
  },
  {
    rows: ["patch_field.language", "language.php_ruby", "patch.8"],
    title: "so does the server of a PHP site",
    from: { ...phpSite, entry: "web/index.php" },
    start: ["web/index.php", "php-server web/index.php"],
    changes: [
      [{ patch: { language: "python" } }, "command"],
      [{ patch: { language: "python", command: "gunicorn app:app" } }, [null, "gunicorn app:app"]],
    ],
  },
  {
    rows: ["patch_field.language", "language.dotnet", "language.elixir", "patch.8"],
    title: "and what .NET publishes, and an Elixir project's own start",
    from: { language: "dotnet" },
    start: [null, "dotnet out/app.dll"],
    changes: [
      [{ patch: { language: "ruby" } }, "command"],
      [{ patch: { language: "elixir" } }, [null, "mix run --no-halt"]],
      [{ patch: { language: "ruby" } }, "command"],
    ],
  },
];

function conformanceCase({ rows, title, from, start, changes }: StartCase): ConformanceCase {
  return {
    rows,
    title,
    async show(world) {
      const client = await world.client({ plan: "Empresas" });
      if (typeof start === "string")
        return assertRefused(await client.upload("/projects", from), 422, "invalid_config", { field: start });
      const { id, entry, command } = await client.createStopped(from);
      assert.deepEqual([entry, command], start);
      for (const [change, expected] of changes) await assertStart(client, id, change, expected);
    },
  };
}

async function assertStart(
  client: SpecClient,
  id: string,
  change: { patch: object } | { svcJson: object },
  expected: Start,
): Promise<void> {
  const answer =
    "patch" in change
      ? await client.patch(id, change.patch)
      : await client.upload(`/projects/${id}/code`, change.svcJson);
  if (typeof expected === "string") return assertRefused(answer, 422, "invalid_config", { field: expected });
  assert.ok(answer.status < 300, `${JSON.stringify(change)}: ${answer.text}`);
  const { entry, command } = projectOf(answer);
  assert.deepEqual([change, entry, command], [change, ...expected]);
  await client.when(id, "stopped");
}

const optionLike: ConformanceCase = {
  rows: ["patch.1", "patch.5"],
  title: "an entry that begins like an option is refused",
  async show(world) {
    const client = await world.client();
    assertRefused(
      await client.upload("/projects", { language: "node", entry: "-v" }),
      422,
      "invalid_config",
      { field: "entry" },
    );
    const { id } = await client.createStopped();
    assertRefused(await client.patch(id, { entry: "-v" }), 400, "invalid_request");
  },
};

const putBack: ConformanceCase = {
  rows: ["patch.3"],
  title: "what was put back waits for no restart, whatever the entry is called",
  async show(world) {
    const client = await world.client();
    const svcJson = JSON.stringify({ language: "node", entry: "my file.js" });
    const { id } = projectOf(
      await client.uploadZip("/projects", await zipOf({ "svc.json": svcJson, "my file.js": "" }), {
        start: "true",
      }),
    );
    await client.when(id, "running");
    for (const [memoryMb, isRestartRequired] of [
      [300, true],
      [256, false],
    ] as const) {
      const answer = await client.patch(id, { memoryMb });
      assert.equal((answer.json as { isRestartRequired: boolean }).isRestartRequired, isRestartRequired);
    }
  },
};

export const startCases: readonly ConformanceCase[] = [...cases.map(conformanceCase), optionLike, putBack];
