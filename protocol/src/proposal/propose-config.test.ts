import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { svcJson, type ProjectConfig } from "../project/project-config.ts";
import { proposeConfig, type Proposal } from "./propose-config.ts";

const json = (value: unknown) => JSON.stringify(value);
const packageJson = (dependencies: string[], more: object = {}) =>
  json({ dependencies: Object.fromEntries(dependencies.map((name) => [name, "*"])), ...more });

function propose(files: Record<string, string>): Promise<Proposal | null> {
  return proposeConfig({ files: Object.keys(files), read: async (path) => files[path] ?? null });
}

type Row = [what: string, files: Record<string, string>, expected: ProjectConfig];

const node: Row[] = [
  [
    "a Discord bot with main",
    {
      "package.json": packageJson(["discord.js"], { name: "@ana/meu-bot", main: "./src/bot.js" }),
      "src/bot.js": "client.login()",
    },
    { name: "meu-bot", type: "bot", language: "node", entry: "src/bot.js" },
  ],
  [
    "a Telegram bot whose start only runs a file",
    { "package.json": packageJson(["telegraf"], { scripts: { start: "node index.js" } }), "index.js": "" },
    { type: "bot", language: "node", entry: "index.js" },
  ],
  [
    "a bot with a site beside it",
    {
      "package.json": packageJson(["express", "discord.js"], { scripts: { start: "node ." }, main: "a.js" }),
      "a.js": "app.listen(3000)",
    },
    { type: "bot", language: "node", command: "npm start" },
  ],
  [
    "a site that reads PORT",
    {
      "package.json": packageJson(["express"], { engines: { node: "20.x" } }),
      "server.js": "app.listen(process.env.PORT || 3000)",
    },
    { type: "site", language: "node", version: "20", entry: "server.js" },
  ],
  [
    "a site on a fixed port, with its own start",
    {
      "package.json": packageJson(["fastify"], { scripts: { start: "node --enable-source-maps server.js" } }),
      "server.js": "app.listen({ port: 3000 })",
    },
    { type: "site", language: "node", command: "npm start" },
  ],
  [
    "a program of others that is a site",
    { "package.json": packageJson(["node-red"], { scripts: { start: "node-red --userDir ./data" } }) },
    { type: "site", language: "node", command: "npm start" },
  ],
  [
    "a site by the port in its start script",
    { "package.json": packageJson(["some-wiki"], { scripts: { start: "some-wiki -p ${PORT:-3000}" } }) },
    { type: "site", language: "node", command: "npm start" },
  ],
  [
    "a bot whose start script names a port",
    {
      "package.json": packageJson(["discord.js"], {
        scripts: { start: "PORT=1 node -r x bot --port $PORT" },
      }),
    },
    { type: "bot", language: "node", command: "npm start" },
  ],
  [
    "a fixed port in the entry",
    { "index.js": 'require("http").createServer(answer).listen(4000)' },
    { type: "site", language: "node", entry: "index.js", port: 4000 },
  ],
  [
    "a file alone, in TypeScript",
    { "index.ts": "setInterval(() => {}, 1000)" },
    { type: "bot", language: "node", entry: "index.ts" },
  ],
  [
    "Next without a start script",
    { "package.json": packageJson(["next", "react"], { scripts: { build: "next build" } }) },
    { type: "site", language: "node", command: "next start" },
  ],
  [
    "pages that vite builds",
    {
      "package.json": packageJson(["react"], {
        name: "loja",
        scripts: { dev: "vite", build: "vite build" },
        devDependencies: { vite: "*" },
      }),
      "index.html": "",
    },
    { name: "loja", type: "site", language: "static", root: "dist" },
  ],
  [
    "pages of react-scripts, whose start is for their author",
    {
      "package.json": packageJson(["react-scripts"], {
        scripts: { start: "react-scripts start", build: "react-scripts build" },
      }),
      "public/index.html": "",
    },
    { type: "site", language: "static", root: "build" },
  ],
  [
    "vite beside a server",
    {
      "package.json": packageJson(["vite", "express"], {
        scripts: { build: "vite build", start: "node s.js" },
      }),
      "s.js": "app.listen(process.env.PORT)",
    },
    { type: "site", language: "node", entry: "s.js" },
  ],
  [
    "an old engine, and a range that has the recommended version",
    { "package.json": packageJson([], { engines: { node: ">=18" } }), "index.js": "" },
    { type: "bot", language: "node", entry: "index.js" },
  ],
  [
    "a broken package.json",
    { "package.json": "{", "index.js": "" },
    { type: "bot", language: "node", entry: "index.js" },
  ],
];

const python: Row[] = [
  [
    "a Discord bot",
    { "requirements.txt": "discord.py==2.4\n# web\n", "main.py": "bot.run(token)" },
    { type: "bot", language: "python", entry: "main.py" },
  ],
  [
    "a bot of pyproject.toml, with its Python",
    {
      "pyproject.toml": '[project]\nrequires-python = ">=3.11,<3.13"\ndependencies = ["aiogram>=3"]\n',
      "bot.py": "",
    },
    { type: "bot", language: "python", version: "3.12", entry: "bot.py" },
  ],
  [
    "Flask that starts itself",
    { "requirements.txt": "Flask\n", "app.py": "app = Flask(__name__)\napp.run(host='0.0.0.0', port=5000)" },
    { type: "site", language: "python", entry: "app.py", port: 5000 },
  ],
  [
    "Flask for gunicorn",
    { "requirements.txt": "flask>=3\ngunicorn\n", "app.py": "app = Flask(__name__)" },
    { type: "site", language: "python", command: "gunicorn -b 0.0.0.0:$PORT app:app" },
  ],
  [
    "Flask without a server",
    { "requirements.txt": "flask", "main.py": "web = Flask(__name__)" },
    { type: "site", language: "python", command: "flask --app main run --host 0.0.0.0 --port $PORT" },
  ],
  [
    "FastAPI",
    { "requirements.txt": "fastapi[standard]\nuvicorn", "src/main.py": "api = FastAPI()" },
    { type: "site", language: "python", command: "uvicorn src.main:api --host 0.0.0.0 --port $PORT" },
  ],
  [
    "Django beside a package.json",
    {
      "manage.py": "",
      "requirements.txt": "Django\ngunicorn",
      "loja/wsgi.py": "",
      "package.json": packageJson(["tailwindcss"]),
    },
    { type: "site", language: "python", command: "gunicorn -b 0.0.0.0:$PORT loja.wsgi" },
  ],
  [
    "a package.json that starts nothing",
    { "package.json": packageJson(["prettier"]), "main.py": "print(1)" },
    { type: "bot", language: "python", entry: "main.py" },
  ],
];

const others: Row[] = [
  ["Go", { "go.mod": "module x\n\ngo 1.26\n", "main.go": "fmt.Println(1)" }, { type: "bot", language: "go" }],
  [
    "a Go site in a folder",
    {
      "go.mod": "module x\ngo 1.21\nrequire github.com/gin-gonic/gin v1.9.1\n",
      "cmd/site/main.go": "",
    },
    { type: "site", language: "go", entry: "cmd/site/main.go" },
  ],
  [
    "a Go site of the standard library",
    { "go.mod": "module x", "main.go": 'http.ListenAndServe(":9000", nil)' },
    { type: "site", language: "go", port: 9000 },
  ],
  [
    "Laravel beside a package.json",
    {
      "composer.json": json({ require: { php: "^8.2", "laravel/framework": "^11" } }),
      "public/index.php": "",
      "package.json": packageJson(["vite"], { scripts: { build: "vite build" } }),
    },
    { type: "site", language: "php" },
  ],
  ["a PHP bot", { "bot.php": "" }, { type: "bot", language: "php", entry: "bot.php" }],
  [
    "Sinatra",
    { Gemfile: 'ruby "3.4.1"\ngem "sinatra"\n', "app.rb": "" },
    { type: "site", language: "ruby", entry: "app.rb" },
  ],
  [
    "Rack",
    { Gemfile: 'gem "rack"\n', "config.ru": "" },
    { type: "site", language: "ruby", command: "bundle exec rackup -o 0.0.0.0 -p $PORT" },
  ],
  [
    "a Discord bot in Ruby",
    { Gemfile: "gem 'discordrb'", "bot.rb": "" },
    { type: "bot", language: "ruby", entry: "bot.rb" },
  ],
  ["Elixir", { "mix.exs": '{:nostrum, "~> 0.10"}' }, { type: "bot", language: "elixir" }],
  ["Phoenix", { "mix.exs": '{:phoenix, "~> 1.8"}' }, { type: "site", language: "elixir" }],
  [
    "ASP.NET",
    { "site.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web"></Project>', "Program.cs": "" },
    { type: "site", language: "dotnet" },
  ],
  [
    "a .NET bot in a folder",
    { "src/Bot/Bot.csproj": '<PackageReference Include="Discord.Net" />' },
    { type: "bot", language: "dotnet", entry: "src/Bot/Bot.csproj" },
  ],
  [
    "a Java program, without the tools' own",
    {
      "gradle/wrapper/gradle-wrapper.jar": "",
      "target/app.jar": "",
      "pom.xml": "<artifactId>JDA</artifactId>",
    },
    { type: "bot", language: "java", entry: "target/app.jar" },
  ],
  ["pages", { "index.html": "", "style.css": "" }, { type: "site", language: "static" }],
  ["pages in a folder", { "public/index.html": "" }, { type: "site", language: "static", root: "public" }],
];

const otherHosts: Row[] = [
  [
    "Square Cloud, a bot",
    {
      "squarecloud.app":
        "DISPLAY_NAME=Meu Bot\nDESCRIPTION=Um bot\nMAIN=index.js\nMEMORY=512\nVERSION=recommended\n",
      "index.js": "",
      "package.json": packageJson(["discord.js"], { name: "x" }),
    },
    {
      name: "Meu Bot",
      description: "Um bot",
      type: "bot",
      language: "node",
      entry: "index.js",
      memoryMb: 512,
    },
  ],
  [
    "Square Cloud, a site",
    {
      "squarecloud.config":
        "MAIN=app.py\r\nMEMORY=1024\r\nSUBDOMAIN=Minha-Loja\r\nSTART=gunicorn -b 0.0.0.0:80 app:app\r\n",
      "app.py": "",
    },
    {
      type: "site",
      language: "python",
      command: "gunicorn -b 0.0.0.0:80 app:app",
      memoryMb: 1024,
      subdomain: "minha-loja",
    },
  ],
  [
    "Discloud, a bot with less memory than a plan takes",
    {
      "discloud.config": "NAME=Bot\nTYPE=bot\nMAIN=bot.py\nRAM=100\nVERSION=3.11\nID=123\n",
      "bot.py": "",
      "requirements.txt": "py-cord",
    },
    { name: "Bot", type: "bot", language: "python", version: "3.11", entry: "bot.py" },
  ],
  [
    "Discloud, a site",
    { "discloud.config": "ID=loja\nTYPE=site\nMAIN=server.js\nRAM=1GB\n", "server.js": "" },
    { type: "site", language: "node", entry: "server.js", memoryMb: 1024, subdomain: "loja" },
  ],
  [
    "Procfile, a site",
    {
      Procfile: "release: python migrate.py\nweb: gunicorn app:app\n",
      "requirements.txt": "flask",
      "app.py": "",
    },
    { type: "site", language: "python", command: "gunicorn app:app" },
  ],
  [
    "Procfile, a worker",
    { Procfile: "worker: node bot.js", "package.json": packageJson(["express"]), "bot.js": "" },
    { type: "bot", language: "node", command: "node bot.js" },
  ],
  [
    "a Dockerfile's CMD and port",
    {
      Dockerfile: 'FROM node:22-alpine\nEXPOSE 3000\nCMD ["node", "dist/main.js"]\n',
      "package.json": packageJson(["pg"], { scripts: { build: "tsc" } }),
    },
    { type: "site", language: "node", version: "22", command: "node dist/main.js", port: 3000 },
  ],
  [
    "a Dockerfile alone",
    {
      Dockerfile: 'FROM python:3.12-slim AS run\nENTRYPOINT ["python", "-u"]\nCMD ["jobs/run.py"]\n',
      "jobs/run.py": "",
    },
    { type: "bot", language: "python", version: "3.12", command: "python -u jobs/run.py" },
  ],
];

for (const [name, rows] of Object.entries({ node, python, others, otherHosts })) {
  suite(`proposals: ${name}`, () => {
    for (const [what, files, expected] of rows) {
      test(what, async () => {
        const proposal = await propose(files);
        assert.deepEqual(proposal?.config, expected);
        svcJson.parse(proposal?.config);
        for (const { name, value } of proposal?.fields ?? []) assert.equal(proposal?.config[name], value);
      });
    }
  });
}

test("nothing is proposed for files that do not show how they are started", async () => {
  for (const files of [
    {},
    { "README.md": "" },
    { "package.json": packageJson(["lodash"]) },
    { "pom.xml": "", "src/Main.java": "" },
    { "requirements.txt": "flask" },
    { "squarecloud.app": "MAIN=gone.js" },
  ] as Record<string, string>[])
    assert.equal(await propose(files), null, JSON.stringify(files));
});

test("each field has its reason", async () => {
  const proposal = await propose({
    "package.json": packageJson(["grammy"], { main: "bot.js", engines: { node: "22" } }),
    "bot.js": "",
  });
  assert.deepEqual(
    proposal?.fields.map(({ name, reason }) => [name, reason.code, reason.file, reason.name]),
    [
      ["type", "dependency", "package.json", "grammy"],
      ["language", "file", "package.json", ""],
      ["version", "stated", "package.json", "engines"],
      ["entry", "stated", "package.json", "main"],
    ],
  );
});

test("what is hostile or wrong in a file is left out", async () => {
  const proposal = await propose({
    "squarecloud.app": `DISPLAY_NAME=${"x".repeat(500)}\nMAIN=../../etc/passwd.js\nSTART=a\u0007b\nSUBDOMAIN=-a-\nMEMORY=1e9\n`,
    "index.js": "",
  });
  assert.deepEqual(proposal?.config, {
    name: "x".repeat(40),
    type: "site",
    language: "node",
    entry: "index.js",
  });
});
