/** Tests svc.json and the form: one set of rules (spec: "POST /projects", `entry` and `command`). */

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { languageVersions, type PlanName, type Project } from "@tijolo/protocol";
import { apiRequest, type ApiAnswer } from "../support/requests/api-request.ts";
import { assertContract } from "../support/requests/assert-contract.ts";
import { multipartType, uploadBody } from "../support/requests/multipart.ts";
import { startFiles } from "../support/archives/start-files.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { zipOf } from "../support/archives/zip-of.ts";

let cluster: TestCluster;
let account: TestAccount;
before(async () => {
  cluster = await TestCluster.create();
  account = await newAccount("Empresas");
});
after(() => cluster[Symbol.asyncDispose]());

const newAccount = (plan: PlanName) => cluster.createAccount({ plan, scopes: ["projects:settings"] });

async function create(
  svcJson: string | object | null,
  fields: Record<string, string> = {},
  by = account,
  fileName = "bot.zip",
): Promise<ApiAnswer> {
  const text = typeof svcJson === "string" ? svcJson : JSON.stringify(svcJson);
  const files = { "index.js": "", ...startFiles(svcJson), ...startFiles(fields) };
  const zip = await zipOf({ ...files, ...(svcJson === null ? {} : { "svc.json": text }) });
  const answer = await apiRequest(cluster.central.url, {
    method: "POST",
    path: "/api/projects",
    token: by.key,
    headers: multipartType,
    body: uploadBody(zip, fields, fileName),
  });
  assertContract("createProject", answer);
  if (answer.status === 201)
    await cluster
      .client(cluster.operatorToken)
      .deleteProject({ id: (answer.json as { project: Project }).project.id });
  return answer;
}

const created = (answer: ApiAnswer): Project => {
  assert.equal(answer.status, 201, answer.text);
  return (answer.json as { project: Project }).project;
};

const node = { language: "node", command: "sim run" };

suite("svc.json and the form", () => {
  test("each wrong configuration has its code and field", async () => {
    const wrong: [what: string, svcJson: string | object, code: string, field?: string][] = [
      ["not JSON", "{language: node}", "invalid_config"],
      ["empty", "", "invalid_config"],
      ["no object", "[]", "invalid_config"],
      ["null", "null", "invalid_config"],
      ["too large", JSON.stringify({ ...node, description: " ".repeat(70_000) }), "invalid_config"],
      [
        "deeply nested",
        `{"language":${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
        "invalid_config",
        "language",
      ],
      ["unknown field", { ...node, colour: "red" }, "invalid_config", "colour"],
      [
        "the prototype as a field",
        '{"language":"node","command":"x","__proto__":{"name":"x"}}',
        "invalid_config",
        "__proto__",
      ],
      ["start is of the form only", { ...node, start: true }, "invalid_config", "start"],
      ["number as name", { ...node, name: 7 }, "invalid_config", "name"],
      ["name of 41", { ...node, name: "x".repeat(41) }, "invalid_config", "name"],
      ["empty name", { ...node, name: " " }, "invalid_config", "name"],
      ["name with a newline", { ...node, name: "a\nb" }, "invalid_config", "name"],
      ["half a character", '{"language":"node","command":"x\\ud800"}', "invalid_config", "command"],
      ["description of 201", { ...node, description: "x".repeat(201) }, "invalid_config", "description"],
      ["memory as text", { ...node, memoryMb: "256" }, "invalid_config", "memoryMb"],
      ["half a MB", { ...node, memoryMb: 256.5 }, "invalid_config", "memoryMb"],
      ["too little memory", { ...node, memoryMb: 255 }, "invalid_config", "memoryMb"],
      ["no memory", { ...node, memoryMb: 0 }, "invalid_config", "memoryMb"],
      ["unknown type", { ...node, type: "worker" }, "invalid_config", "type"],
      ["static bot", { language: "static", type: "bot" }, "invalid_config", "type"],
      ["port on a bot", { ...node, port: 3000 }, "invalid_config", "port"],
      ["subdomain on a bot", { ...node, subdomain: "abc" }, "invalid_config", "subdomain"],
      ["port 0", { ...node, type: "site", port: 0 }, "invalid_config", "port"],
      ["port 65536", { ...node, type: "site", port: 65_536 }, "invalid_config", "port"],
      ["root of a bot", { ...node, root: "public" }, "invalid_config", "root"],
      ["root that leaves", { language: "static", root: "../etc" }, "invalid_config", "root"],
      [
        "root that leaves behind a line separator",
        { language: "static", root: "\u2028/../../etc" },
        "invalid_config",
        "root",
      ],
      ["absolute entry", { language: "node", entry: "/etc/passwd" }, "invalid_config", "entry"],
      ["entry that leaves", { language: "node", entry: "a/../../x.js" }, "invalid_config", "entry"],
      [
        "entry that leaves behind a line separator",
        { language: "node", entry: "\u2029/../../x.js" },
        "invalid_config",
        "entry",
      ],
      ["command with NUL", { ...node, command: "a\u0000b" }, "invalid_config", "command"],
      ["command with a newline", { ...node, command: "a\nb" }, "invalid_config", "command"],
      ["unknown system package", { ...node, systemPackages: ["bash"] }, "invalid_config", "systemPackages"],
      ["packages as text", { ...node, systemPackages: "git" }, "invalid_config", "systemPackages"],
      ["command of a static site", { language: "static", command: "npm start" }, "invalid_config", "command"],
      ["an app of one page that is a program", { ...node, spa: true }, "invalid_config", "spa"],
      [
        "packages of a static site",
        { language: "static", systemPackages: ["git"] },
        "invalid_config",
        "systemPackages",
      ],
      [
        "entry against command",
        { language: "node", entry: "a.js", command: "node b.js" },
        "invalid_config",
        "entry",
      ],
      ["no language", { command: "sim run" }, "invalid_config", "language"],
      ["no command and no entry", { language: "node" }, "invalid_config", "command"],
      ["unknown language", { ...node, language: "cobol" }, "unsupported_language"],
      ["a language by another case", { ...node, language: "Node" }, "unsupported_language"],
      ["a name of the prototype as language", { ...node, language: "constructor" }, "unsupported_language"],
      ["unknown version", { ...node, version: "18" }, "unsupported_language"],
      ["a long language", { ...node, language: "x".repeat(100) }, "unsupported_language"],
      ["a long version", { ...node, version: "1".repeat(100) }, "unsupported_language"],
      ["version of static", { language: "static", version: "1" }, "unsupported_language"],
      ["short subdomain", { language: "static", subdomain: "ab" }, "invalid_subdomain", "subdomain"],
      [
        "subdomain of 33",
        { language: "static", subdomain: "a".repeat(33) },
        "invalid_subdomain",
        "subdomain",
      ],
      [
        "subdomain of 300",
        { language: "static", subdomain: "a".repeat(300) },
        "invalid_subdomain",
        "subdomain",
      ],
      ["subdomain in capitals", { language: "static", subdomain: "Shop" }, "invalid_subdomain", "subdomain"],
      ["subdomain with a dot", { language: "static", subdomain: "a.b" }, "invalid_subdomain", "subdomain"],
      [
        "subdomain with a newline",
        { language: "static", subdomain: "shop\n" },
        "invalid_subdomain",
        "subdomain",
      ],
      ["reserved subdomain", { language: "static", subdomain: "api" }, "reserved_subdomain", "subdomain"],
      ["more memory than the plan", { ...node, memoryMb: 65_537 }, "insufficient_memory"],
      ["more memory than any plan", { ...node, memoryMb: 2_000_000_000 }, "insufficient_memory"],
    ];
    for (const [what, svcJson, code, field] of wrong) {
      const answer = await create(svcJson);
      assert.deepEqual([what, answer.code, (answer.json as { field?: string }).field], [what, code, field]);
    }
    const { supported } = (await create({ ...node, language: "cobol" })).json as { supported: unknown };
    assert.deepEqual(supported, languageVersions);
    const tooLong = (await create(" ".repeat(64 * 1024 + 1))).json as { message: string };
    assert.match(tooLong.message, /64 KB/);
    const incoming = join(cluster.directory, "central", "objects", "incoming");
    await until(async () => (await readdir(incoming)).length === 0);
  });

  test("defaults and derivations are those of api.md and the spec", async () => {
    const rows: [svcJson: object, expected: Partial<Project>][] = [
      [
        { language: "node", command: "node a.js" },
        {
          type: "bot",
          version: "24",
          entry: "a.js",
          command: "node a.js",
          memoryMb: 256,
          port: null,
          subdomain: null,
          url: null,
          root: null,
          installCommand: null,
          systemPackages: [],
          description: "",
          name: "my-bot",
        },
      ],
      [
        { language: "node", entry: "b/c.ts" },
        { entry: "b/c.ts", command: "tsx b/c.ts" },
      ],
      [
        { language: "node", command: "npm start" },
        { entry: null, command: "npm start" },
      ],
      [{ language: "node", command: "node a.js --flag" }, { entry: null }],
      [
        { language: "node", command: "", entry: "x.mjs" },
        { entry: "x.mjs", command: "node x.mjs" },
      ],
      [
        { language: "python", command: "python main.py" },
        { version: "3.13", entry: "main.py" },
      ],
      [{ language: "python", command: "python -m bot" }, { entry: null }],
      [{ language: "java", command: "java -jar app.jar" }, { entry: "app.jar" }],
      [{ language: "ruby", command: "ruby bot.rb" }, { entry: "bot.rb" }],
      [{ language: "dotnet", command: "dotnet app.dll" }, { entry: "app.dll" }],
      [{ language: "go" }, { entry: null, command: "./out/app" }],
      [
        { language: "go", entry: "" },
        { entry: null, command: "./out/app" },
      ],
      [
        { language: "php", type: "site" },
        { entry: null, command: "php-server" },
      ],
      [
        { language: "php", type: "site", entry: "public/index.php" },
        { entry: "public/index.php", command: "php-server public/index.php" },
      ],
      [
        { language: "php", type: "site", command: "php artisan octane:start" },
        { entry: null, command: "php artisan octane:start" },
      ],
      [
        { language: "php", entry: "bot.php" },
        { entry: "bot.php", command: "php bot.php" },
      ],
      [{ language: "elixir" }, { entry: null, command: "mix run --no-halt" }],
      [{ language: "elixir", command: "mix run --no-halt run.exs" }, { entry: "run.exs" }],
      [
        { language: "static" },
        {
          type: "site",
          version: "",
          entry: null,
          command: "",
          root: "",
          memoryMb: 64,
          port: 8080,
          installCommand: null,
        },
      ],
      [
        { language: "static", root: "public", subdomain: "my-page" },
        { root: "public", subdomain: "my-page" },
      ],
      [{ language: "static", installCommand: "npm run build" }, { installCommand: "npm run build" }],
      [
        { ...node, type: "site" },
        { memoryMb: 512, port: 8080, subdomain: "my-bot" },
      ],
      [{ ...node, systemPackages: ["zip", "curl", "zip"] }, { systemPackages: ["curl", "zip"] }],
      [{ ...node, installCommand: "" }, { installCommand: "" }],
      [{ ...node, installCommand: null }, { installCommand: null }],
      [{ ...node, $schema: "https://example.invalid/svc.schema.json" }, {}],
    ];
    for (const [svcJson, expected] of rows) {
      const project = created(await create(svcJson, {}, account, "my-bot.zip"));
      const actual = Object.fromEntries(
        Object.keys(expected).map((name) => [name, project[name as keyof Project]]),
      );
      assert.deepEqual({ svcJson, ...actual }, { svcJson, ...expected });
      assert.match(
        project.url ?? `http://${project.subdomain}.localhost:1/`,
        new RegExp(`^http://${project.subdomain}\\.localhost:\\d+/$`),
      );
      assert.equal(project.url === null, project.type === "bot");
      assert.equal(project.internalHost, `svc-${project.id.slice(-8).toLowerCase()}`);
    }
  });

  test("a form field wins over svc.json, and the form alone is enough", async () => {
    const both = created(
      await create(
        { ...node, name: "file", memoryMb: 256, description: "kept" },
        { name: "form", memoryMb: "300", systemPackages: "git, curl" },
      ),
    );
    assert.deepEqual(
      [both.name, both.memoryMb, both.description, both.systemPackages],
      ["form", 300, "kept", ["curl", "git"]],
    );
    const form = created(await create(null, { language: "node", command: "sim run" }));
    assert.equal(form.command, "sim run");
    const entry = created(await create({ language: "node", command: "node a.js" }, { entry: "index.js" }));
    assert.deepEqual([entry.entry, entry.command], ["index.js", "node index.js"]);
    const noEntry = created(await create({ language: "go", entry: "cmd/bot" }, { entry: "" }));
    assert.deepEqual([noEntry.entry, noEntry.command], [null, "./out/app"]);
    assert.equal((await create({ language: "node", entry: "a.js" }, { entry: "" })).code, "invalid_config");
    for (const fields of [{ language: "node" }, { command: "sim run" }, {}])
      assert.equal((await create(null, fields)).code, "missing_config");
    const most = await create(node, { memoryMb: "99999999" });
    assert.deepEqual(
      [most.code, (most.json as { requestedMemoryMb?: number }).requestedMemoryMb],
      ["insufficient_memory", 99_999_999],
    );
    for (const [field, value] of [
      ["memoryMb", "1e3"],
      ["memoryMb", "-1"],
      ["memoryMb", " 256"],
      ["port", "80.5"],
      ["start", "yes"],
      ["start", ""],
      ["systemPackages", "bash"],
    ]) {
      const answer = await create(node, { [field ?? ""]: value ?? "" });
      assert.deepEqual(
        [field, value, answer.code, (answer.json as { field?: string }).field],
        [field, value, "invalid_config", field],
      );
    }
  });

  test("Free has its own minimum of memory and no sites", async () => {
    const free = await newAccount("Free");
    assert.equal(created(await create(node, {}, free)).memoryMb, 128);
    assert.equal((await create({ ...node, memoryMb: 127 }, {}, free)).code, "invalid_config");
    assert.equal((await create({ language: "static" }, {}, free)).code, "site_not_allowed");
  });

  test("a name that is a file's name is cleaned; a hostile one does not reach further", async () => {
    for (const [fileName, name] of [
      ["../../etc/passwd.zip", "passwd"],
      ["C:\\\\bots\\\\meu bot.ZIP", "meu bot"],
      [".zip", "projeto"],
      ["\u200b\u200d.zip", "projeto"],
      ["bot\u202egpj.zip", "botgpj"],
      ["é".repeat(60), "é".repeat(40)],
    ] as const) {
      assert.equal(created(await create(node, {}, account, fileName)).name, name);
    }
  });
});
