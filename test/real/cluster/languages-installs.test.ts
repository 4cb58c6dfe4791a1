/**
 * Tests how real projects are installed: by the lock file they have, with vendored packages, with a build of
 * their own; and what of it is cached.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { findHostNpmRegistry } from "../../../agent/src/images/npm-package.ts";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { DeployedProject, type Upload } from "../support/projects/deployed-project.ts";
import { assertRoomForKeptInstalls } from "../support/disks/install-room.ts";
import * as locks from "../support/uploads/lock-files.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";

const patient = 300_000;
let cluster: RealCluster;
let account: TestAccount;
before(async () => {
  cluster = await RealCluster.create();
  account = await cluster.createAccount();
});
after(() => cluster[Symbol.asyncDispose]());

const deploy = (upload: Upload, owner = account) => DeployedProject.create(owner.client, upload);
const installLog = async (project: DeployedProject) =>
  (await project.lines({ section: "install" })).map(({ text }) => text).join("\n");

/**
 * Deploys a bot until it has printed the words, stops it, and answers with its install log. `farewell`: what
 * it says at its end.
 */
async function prints(upload: Upload, words: string, farewell?: string): Promise<string> {
  const project = await deploy(upload);
  await project.is("running", patient);
  await project.prints(words, patient);
  await account.client.stopProject({ id: project.id });
  if (farewell !== undefined) {
    await project.is("stopped", patient);
    await project.prints(farewell);
  }
  return installLog(project);
}

const usesMs = `console.log("an hour is " + require("ms")("1h")); setInterval(() => {}, 1000);`;
const takesLeave = `process.once("SIGTERM", () => setTimeout(() => process.exit(console.log("farewell")), 200));`;
const registry = await findHostNpmRegistry();
const yarnSettings = `npmRegistryServer: ${registry.replace(/\/$/, "")}\n`;
const managers: readonly { name: string; files: Record<string, string>; runs: string }[] = [
  { name: "npm", files: { "package-lock.json": locks.npmLock }, runs: "$ npm ci" },
  { name: "pnpm", files: { "pnpm-lock.yaml": locks.pnpmLock }, runs: "$ pnpm install --frozen-lockfile" },
  {
    name: "yarn 1",
    files: { "yarn.lock": locks.yarnLock(registry) },
    runs: "$ yarn install --frozen-lockfile",
  },
  {
    name: "yarn 4",
    files: { "yarn.lock": locks.modernYarnLock(10), ".yarnrc.yml": yarnSettings },
    runs: "$ YARN_NODE_LINKER=node-modules yarn-berry install --immutable",
  },
  {
    name: "yarn of an earlier version",
    files: { "yarn.lock": locks.modernYarnLock(8), ".yarnrc.yml": yarnSettings },
    runs: "$ YARN_NODE_LINKER=node-modules yarn-berry install --no-immutable",
  },
  { name: "bun", files: { "bun.lock": locks.bunLock }, runs: "$ bun install --frozen-lockfile" },
];

describe("package managers of Node", { concurrency: 2 }, () => {
  for (const { name, files, runs } of managers) {
    test(`${name} installs what its lock file says, runs the build script, starts the program and hands it the signal to end`, async () => {
      const scripts = { build: "node -p '`process.exit`' > built.txt", start: "node index.js" };
      const command = name.startsWith("yarn")
        ? "yarn start"
        : name === "npm"
          ? "npm start"
          : `${name} start`.replace("bun start", "bun run start");
      const log = await prints(
        {
          files: {
            "package.json": locks.packageJson({ scripts }),
            "index.js": `require("node:fs").readFileSync("built.txt"); ${takesLeave} ${usesMs}`,
            ...files,
          },
          config: { language: "node", version: "24", command },
        },
        "an hour is 3600000",
        // yarn 1 ends itself when it is asked to, and the program with it.
        name === "yarn 1" ? undefined : "farewell",
      );
      assert.ok(log.includes(runs), log);
      assert.match(log, /^\$ (npm|pnpm|yarn|yarn-berry|bun) run build$/m);
    });
  }

  test("a lock file that is not that of the package.json is told as such", async () => {
    const newer = JSON.parse(locks.packageJson()) as { dependencies: Record<string, string> };
    newer.dependencies["ms"] = "2.0.0";
    const project = await deploy({
      files: {
        "package.json": JSON.stringify(newer),
        "package-lock.json": locks.npmLock,
        "index.js": usesMs,
      },
      config: { language: "node", version: "24", entry: "index.js" },
    });
    const { error } = await project.is("error", patient);
    const told = error?.message ?? "";
    assert.match(told, /lock não combina com o package\.json/, `${told}\n${await installLog(project)}`);
  });
});

describe("packages that come with the upload", { concurrency: 2 }, () => {
  test("Composer installs from a folder of the project", async () => {
    const composer = {
      repositories: [
        { type: "path", url: "packages/*", options: { symlink: false } },
        { "packagist.org": false },
      ],
      require: { "acme/greet": "*@dev" },
    };
    await prints(
      {
        files: {
          "composer.json": JSON.stringify(composer),
          "packages/greet/composer.json": JSON.stringify({
            name: "acme/greet",
            autoload: { files: ["greet.php"] },
          }),
          "packages/greet/greet.php": "<?php function greet() { return 'greeted by a package'; }",
          "bot.php": "<?php require 'vendor/autoload.php'; echo greet(), PHP_EOL; while (true) sleep(1);",
        },
        config: { language: "php", entry: "bot.php" },
      },
      "greeted by a package",
    );
  });

  test("Bundler installs a gem of the project", async () => {
    await prints(
      {
        files: {
          Gemfile: `source "https://rubygems.org"\ngem "greet", path: "gems/greet"\n`,
          "gems/greet/greet.gemspec": `Gem::Specification.new { |s| s.name = "greet"; s.version = "1.0"; s.summary = "s"; s.authors = ["a"]; s.files = ["lib/greet.rb"] }`,
          "gems/greet/lib/greet.rb": `module Greet; def self.word = "greeted by a gem"; end`,
          "bot.rb": `require "bundler/setup"\nrequire "greet"\n$stdout.sync = true\nputs Greet.word\nsleep`,
        },
        config: { language: "ruby", entry: "bot.rb" },
      },
      "greeted by a gem",
    );
  });

  test("Go compiles the folder of its entry with vendored modules", async () => {
    await prints(
      {
        files: {
          "go.mod": "module bot\n\ngo 1.26\n\nrequire example.com/greet v1.0.0\n",
          "vendor/modules.txt": "# example.com/greet v1.0.0\n## explicit; go 1.26\nexample.com/greet\n",
          "vendor/example.com/greet/greet.go": `package greet\n\nfunc Word() string { return "greeted by a module" }\n`,
          "cmd/bot/main.go": `package main\n\nimport "example.com/greet"\n\nfunc main() {\n\tprintln(greet.Word())\n\tselect {\n\tcase <-make(chan int):\n\t}\n}\n`,
        },
        config: { language: "go", entry: "cmd/bot/main.go" },
      },
      "greeted by a module",
    );
  });

  test("Python installs a project that its pyproject.toml describes for Poetry", async () => {
    await prints(
      {
        files: {
          "pyproject.toml": `[tool.poetry]\nname = "bot"\nversion = "1.0"\ndescription = ""\nauthors = []\npackage-mode = false\n\n[tool.poetry.dependencies]\npython = "^3.11"\n`,
          "main.py": "import sys, time\nprint('prefix', sys.prefix)\nwhile True: time.sleep(1)\n",
        },
        config: { language: "python", version: "3.13", entry: "main.py" },
      },
      "prefix /app/.venv",
    );
  });
});

describe("an install that was made is kept", () => {
  before(() => assertRoomForKeptInstalls(cluster.directory));

  const kept = /instalação guardada foi usada/;
  const upload = (source: string): Upload => ({
    files: {
      "package.json": locks.packageJson(),
      "package-lock.json": locks.npmLock,
      "index.js": `${source}; ${usesMs}`,
    },
    config: { language: "node", version: "24", entry: "index.js" },
  });

  test("for other versions and other projects of the account, and in no other account", async () => {
    const owner = await cluster.createAccount();
    const first = await deploy(upload("1"), owner);
    await first.prints("an hour is", patient);
    assert.doesNotMatch(await installLog(first), kept);

    await first.upload(upload("console.log('second version')"));
    await first.prints("second version", patient);
    assert.match(await installLog(first), kept);
    const second = await deploy(upload("2"), owner);
    await second.prints("an hour is", patient);
    assert.match(await installLog(second), kept);

    const stranger = await deploy(upload("2"), await cluster.createAccount());
    await stranger.prints("an hour is", patient);
    assert.doesNotMatch(await installLog(stranger), kept);
  });

  test("and what a project changes of it in its own run is changed for it alone", async () => {
    const owner = await cluster.createAccount();
    const spoils = `require("node:fs").writeFileSync("node_modules/ms/index.js", "module.exports = () => 'spoilt'");`;
    const spoiler = await deploy(upload(spoils), owner);
    await spoiler.prints("an hour is spoilt", patient);
    const other = await deploy(upload("3"), owner);
    await other.prints("an hour is 3600000", patient);
    assert.match(await installLog(other), kept);
  });
});

describe("the environment", { concurrency: 2 }, () => {
  test("is what programs of each language expect", async () => {
    const node = `const zone = new Date(0).toLocaleString("pt-BR", { timeZone: "America/Sao_Paulo" });
      require("node:fs").writeFileSync(process.env.HOME + "/kept", "x");
      const { NODE_ENV, LANG, TZ, PORT } = process.env;
      console.log(JSON.stringify({ NODE_ENV, LANG, TZ, PORT, zone, heap: require("node:v8").getHeapStatistics().heap_size_limit >> 20 }));
      setInterval(() => {}, 1000);`;
    const log = deploy({
      files: { "index.js": node },
      config: { language: "node", version: "24", entry: "index.js", memoryMb: 512 },
    });
    const told = JSON.parse(await (await log).prints("NODE_ENV", patient)) as Record<string, unknown>;
    assert.deepEqual(
      [told["NODE_ENV"], told["LANG"], told["TZ"], told["PORT"], told["zone"]],
      ["production", "C.UTF-8", "UTC", undefined, "31/12/1969, 21:00:00"],
    );
    assert.ok(Number(told["heap"]) > 350 && Number(told["heap"]) < 512, `heap ${String(told["heap"])}`);
  });

  test("leaves Python's words unbuffered and its files in UTF-8", async () => {
    const source = `import sys, time, zoneinfo, datetime, ssl
print("ação", sys.getdefaultencoding(), open("/dev/null", "w").encoding, datetime.datetime.fromtimestamp(0, zoneinfo.ZoneInfo("America/Sao_Paulo")).hour, len(ssl.create_default_context().get_ca_certs()) > 50)
time.sleep(1000)
`;
    await prints(
      { files: { "main.py": source }, config: { language: "python", version: "3.13", entry: "main.py" } },
      "ação utf-8 UTF-8 21 True",
    );
  });

  test("gives an install room for temporary files beyond the container's memory", async () => {
    const command = `head -c 100000000 /dev/zero > "$TMPDIR/large" && wc -c < "$TMPDIR/large"`;
    const project = await deploy({
      config: { language: "node", version: "24", command: "sleep 1000", installCommand: command },
    });
    await project.is("running", patient);
    assert.match(await installLog(project), /^100000000$/m);
  });
});
