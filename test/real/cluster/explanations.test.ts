/**
 * Tests what a beginner is told, in the project's error and in its log, when a real program fails or cannot
 * be reached.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DeployedProject, type Upload } from "../support/projects/deployed-project.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";

interface Failure {
  title: string;
  upload: Upload;
  code: "process_exited" | "install_failed" | "start_failed";
  says: RegExp;
}

function node(source: string, files: Upload["files"] = {}, config: Record<string, unknown> = {}): Upload {
  return {
    files: { "index.js": source, ...files },
    config: { language: "node", version: "24", entry: "index.js", ...config },
  };
}

function python(source: string, files: Upload["files"] = {}, config: Record<string, unknown> = {}): Upload {
  return {
    files: { "main.py": source, ...files },
    config: { language: "python", version: "3.13", entry: "main.py", ...config },
  };
}

function bot(language: string, file: string, source: string): Upload {
  return { files: { [file]: source }, config: { language, entry: file } };
}

const newerNode = JSON.stringify({ name: "bot", engines: { node: ">=26" } });

/** Failures, each on an account of the plan Free, where a program that crashes is not started again. */
const failures: readonly Failure[] = [
  {
    title: "a module that is not installed (Node)",
    upload: node(`require("discord.js");`),
    code: "process_exited",
    says: /Falta o módulo discord\.js.*npm install discord\.js/,
  },
  {
    title: "a file that is not there, as import writes it (Node)",
    upload: node(`import "./Comandos.js";`, { "comandos.js": "", "package.json": `{"type": "module"}` }),
    code: "process_exited",
    says: /O arquivo Comandos\.js não existe.*maiúsculas/,
  },
  {
    title: "a syntax error (Node)",
    upload: node(`const a = 1;\nconsole.log("oi";\n`),
    code: "process_exited",
    says: /Erro de sintaxe em index\.js, linha 2/,
  },
  {
    title: "import in a project that is CommonJS (Node)",
    upload: node(`import fs from "node:fs";\nconst fs2 = require("fs"); fs2.x.y;`, {
      "package.json": `{"type": "commonjs"}`,
    }),
    code: "process_exited",
    says: /"type": "module"/,
  },
  {
    title: "a start file that the install did not make (Node)",
    upload: node("", {}, { entry: "bot.js", installCommand: "true" }),
    code: "start_failed",
    says: /bot\.js não está no \.zip/,
  },
  {
    title: "a start file that a script of package.json names wrongly (Node)",
    upload: node(
      "",
      { "package.json": `{"scripts": {"start": "node src/bot.js"}}` },
      { entry: undefined, command: "npm start" },
    ),
    code: "process_exited",
    says: /O arquivo src\/bot\.js não existe/,
  },
  {
    title: "a version of Node that the project does not accept",
    upload: node("", { "package.json": newerNode, ".npmrc": "engine-strict=true\n" }),
    code: "install_failed",
    says: /não aceita o Node 24 \(pede >=26\)/,
  },
  {
    title: "a command that nothing has installed (Node)",
    upload: node("", {}, { entry: undefined, command: "nodemon index.js" }),
    code: "start_failed",
    says: /O comando nodemon não existe aqui/,
  },
  {
    title: "a script of Windows that is called by its name",
    upload: node(
      "",
      { "start.sh": "#!/bin/bash\r\necho oi\r\n" },
      { entry: undefined, command: "chmod +x start.sh; ./start.sh || exit 3" },
    ),
    code: "process_exited",
    says: /O script \.\/start\.sh foi salvo no Windows/,
  },
  {
    title: "a script of Windows that is given to bash",
    upload: node(
      "",
      { "start.sh": "#!/bin/bash\r\n\r\nfalse\r\n" },
      { entry: undefined, command: "bash start.sh || exit 3" },
    ),
    code: "process_exited",
    says: /O script start\.sh foi salvo no Windows/,
  },
  {
    title: "a lock file that does not match package.json (Node)",
    upload: node("", {
      "package.json": JSON.stringify({ name: "bot", version: "1.0.0", dependencies: { ms: "2.1.3" } }),
      "package-lock.json": JSON.stringify({
        name: "bot",
        version: "1.0.0",
        lockfileVersion: 3,
        requires: true,
        packages: { "": { name: "bot", version: "1.0.0" } },
      }),
    }),
    code: "install_failed",
    says: /O arquivo de lock não combina com o package\.json \(falta ms@2\.1\.3\)/,
  },
  {
    title: "a package that does not exist (Node)",
    upload: node("", {
      "package.json": JSON.stringify({ name: "bot", dependencies: { "tijolo-nao-existe-1": "*" } }),
    }),
    code: "install_failed",
    says: /O pacote tijolo-nao-existe-1@\* não existe no npm/,
  },
  {
    title: "a module that is not installed (Python)",
    upload: python("import discord\n"),
    code: "process_exited",
    says: /Falta o módulo discord.*discord\.py.*requirements\.txt/,
  },
  {
    title: "a syntax error (Python)",
    upload: python("print('oi'\nfor x in []: pass\n"),
    code: "process_exited",
    says: /Erro de sintaxe em main\.py, linha 1/,
  },
  {
    title: "a wrong indentation (Python)",
    upload: python("def f():\nprint(1)\n"),
    code: "process_exited",
    says: /Erro de indentação em main\.py, linha 2/,
  },
  {
    title: "a start file that is not in the archive (Python)",
    upload: python("", {}, { entry: undefined, command: "python -u bot.py" }),
    code: "process_exited",
    says: /O arquivo bot\.py não existe/,
  },
  {
    title: "a syntax error (PHP)",
    upload: bot("php", "bot.php", "<?php\necho 'oi'\necho 'tchau';\n"),
    code: "process_exited",
    says: /Erro de sintaxe em bot\.php, linha 3/,
  },
  {
    title: "a gem that is not installed (Ruby)",
    upload: bot("ruby", "bot.rb", `require "sinatra"\n`),
    code: "process_exited",
    says: /Falta a gem sinatra/,
  },
  {
    title: "code that does not compile (Go)",
    upload: {
      files: {
        "go.mod": "module bot\n\ngo 1.26\n",
        "main.go": "package main\n\nfunc main() { missing() }\n",
      },
      config: { language: "go", entry: "main.go" },
    },
    code: "install_failed",
    says: /O código não compila: main\.go, linha 3: undefined: missing/,
  },
  {
    title: "a jar that is none (Java)",
    upload: { files: { "bot.jar": "not a jar" }, config: { language: "java", entry: "bot.jar" } },
    code: "process_exited",
    says: /bot\.jar não é um \.jar inteiro/,
  },
];

interface Unreached {
  title: string;
  upload: Upload;
  says: RegExp;
}

const site = { type: "site", port: 8080 };
const serve = (listen: string) =>
  `require("node:http").createServer((_, answer) => answer.end("oi")).listen(${listen});`;

/** Sites that run but cannot be reached, so that only their log can tell. */
const unreached: readonly Unreached[] = [
  {
    title: "a site that listens on 127.0.0.1 (Node)",
    upload: node(serve(`process.env.PORT, "127.0.0.1"`), {}, site),
    says: /ouve a porta 8080 só em 127\.0\.0\.1.*0\.0\.0\.0.*process\.env\.PORT/,
  },
  {
    title: "a site that listens on another port (Node)",
    upload: node(serve("3000"), {}, site),
    says: /ouve a porta 3000, mas as visitas chegam na porta 8080/,
  },
  {
    title: "a site that listens on no port (Node)",
    upload: node("setInterval(() => {}, 1000);", {}, site),
    says: /Nada ouve a porta 8080/,
  },
  {
    title: "a site that listens on 127.0.0.1 (Python)",
    upload: python(
      `import http.server as h\nh.HTTPServer(("127.0.0.1", 8080), h.SimpleHTTPRequestHandler).serve_forever()\n`,
      {},
      site,
    ),
    says: /só em 127\.0\.0\.1.*app\.run\(host="0\.0\.0\.0"/,
  },
];

const patient = 300_000;
let cluster: RealCluster;
before(async () => {
  cluster = await RealCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

describe("a beginner is told what to do", { concurrency: 3 }, () => {
  for (const { title, upload, says } of unreached) {
    test(title, async () => {
      const account = await cluster.createAccount();
      const project = await DeployedProject.create(account.client, upload);
      await project.is("running", patient);
      await project.when(async () => (await systemText(project, "app")).match(says) !== null, {
        timeoutMs: patient,
      });
      assert.equal((await project.get()).status, "running");
      await account.client.stopProject({ id: project.id });
    });
  }

  for (const { title, upload, code, says } of failures) {
    test(title, async () => {
      const account = await cluster.createAccount({ plan: "Free" });
      const project = await DeployedProject.create(account.client, {
        ...upload,
        config: { memoryMb: 256, ...upload.config },
      });
      const { error } = await project.is("error", patient);
      const log = await systemText(project, code === "install_failed" ? "install" : "app");
      const all = (await project.lines()).map(({ text }) => text).join("\n");
      assert.equal(error?.code, code, `${error?.message}\n${all}`);
      assert.match(error.message, says, all);
      assert.match(log, says, "the log says it too");
    });
  }
});

/** Tijolo's own words. */
async function systemText(project: DeployedProject, section: "install" | "app"): Promise<string> {
  const lines = await project.lines({ section });
  return lines
    .filter(({ stream }) => stream === "system")
    .map(({ text }) => text)
    .join("\n");
}
