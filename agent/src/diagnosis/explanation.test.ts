/** The texts are what the programs print; the lines stand as the log has them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProjectSettings } from "@tijolo/protocol";
import type { LogSection } from "../logs/writer/log-files.ts";
import { ownerText } from "../../../test/support/projects/owner-text.ts";
import { sampleAssignment } from "../../../test/support/samples.ts";
import { explainFailure } from "./explanation.ts";
import { sinceLastError } from "./last-error.ts";

function explain(
  language: ProjectSettings["language"],
  text: string,
  section: LogSection = "app",
): string | undefined {
  const message = explainFailure(
    { settings: { ...sampleAssignment().settings, language, version: "24" }, section },
    text.split("\n"),
  );
  return message && ownerText(message);
}

const cases: readonly [
  name: string,
  language: ProjectSettings["language"],
  text: string,
  expected: RegExp,
][] = [
  [
    "a missing package of Node",
    "node",
    "node:internal/modules/cjs/loader:1386\n  throw err;\n  ^\n\nError: Cannot find module 'discord.js'\nRequire stack:\n- /app/index.js",
    /Falta o módulo discord\.js\. Rode npm install discord\.js/,
  ],
  [
    "a missing package of an ES module, with a scope and a file",
    "node",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@scope/name/file.js' imported from /app/index.js",
    /Falta o módulo @scope\/name\./,
  ],
  [
    "a missing file of Node",
    "node",
    "Error: Cannot find module '/app/src/Index.js'\n    at Module._resolveFilename",
    /O arquivo src\/Index\.js não existe.*maiúsculas/,
  ],
  [
    "a syntax error of Node",
    "node",
    "/app/index.js:3\nconst a = ;\n          ^\n\nSyntaxError: Unexpected token ';'\n    at wrapSafe (node:internal/modules/cjs/loader:1512:18)",
    /Erro de sintaxe em index\.js, linha 3: Unexpected token ';'/,
  ],
  [
    "a syntax error of an ES module",
    "node",
    "file:///app/src/main.mjs:12\n  foo(\n     ^\n\nSyntaxError: missing ) after argument list",
    /em src\/main\.mjs, linha 12/,
  ],
  [
    "import in CommonJS",
    "node",
    "SyntaxError: Cannot use import statement outside a module",
    /"type": "module"/,
  ],
  [
    "a package that wants another Node",
    "node",
    "npm error code EBADENGINE\nnpm error engine Unsupported engine\nnpm error engine Not compatible with your version of node/npm: a@1.0.0",
    /não aceita o Node 24.*Mude version/,
  ],
  [
    "a module compiled for another Node",
    "node",
    "The module 'x.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 108.",
    /outra versão do Node/,
  ],
  [
    "node_modules of Windows",
    "node",
    "Error: /app/node_modules/a/a.node: invalid ELF header",
    /Apague a pasta node_modules do \.zip/,
  ],
  [
    "a package that npm does not have",
    "node",
    "npm error code E404\nnpm error 404 Not Found - GET https://registry.invalid/nao-existe\nnpm error 404\nnpm error 404  'nao-existe@^1.0.0' is not in this registry.",
    /O pacote nao-existe@\^1\.0\.0 não existe no npm/,
  ],
  [
    "a version that npm does not have",
    "node",
    "npm error code ETARGET\nnpm error notarget No matching version found for node-fetch@cjs.\nnpm error notarget In most cases you",
    /A versão node-fetch@cjs não existe no npm.*overrides/,
  ],
  [
    "a library that knows an older Node from inside",
    "node",
    "node:internal/bootstrap/realm:162\n    throw new Error(`No such module: ${module}`);\n    ^\n\nError: No such module: http_parser\n    at process.binding (node:internal/bootstrap/realm:162:11)\n    at Object.<anonymous> (/app/node_modules/http-deceiver/lib/deceiver.js:22:24)",
    /\(http_parser\) que o Node 24 não tem mais\. Mude version/,
  ],
  [
    "a lock file of another package.json",
    "node",
    "npm error code EUSAGE\nnpm error\nnpm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.",
    /lock não combina/,
  ],
  [
    "native modules without a compiler",
    "node",
    "npm error gyp ERR! stack Error: not found: make",
    /build-essential e python3 em systemPackages/,
  ],
  [
    "a port opened twice",
    "node",
    "Error: listen EADDRINUSE: address already in use 0.0.0.0:8080",
    /porta 8080 já está em uso/,
  ],
  [
    "a wrong token",
    "node",
    "Error [TokenInvalid]: An invalid token was provided.",
    /O token do bot é inválido/,
  ],
  ["intents that are off", "node", "Error: Used disallowed intents", /Privileged Gateway Intents/],
  ["a database on localhost", "node", "Error: connect ECONNREFUSED 127.0.0.1:5432", /localhost:5432.*svc-/],
  [
    "a command that is not there",
    "node",
    "/bin/sh: 1: tsx: not found",
    /O comando tsx não existe aqui.*dependencies/,
  ],
  ["a command of a system package", "python", "sh: 1: git: not found", /Acrescente git em systemPackages/],
  [
    "a missing module of Python, whose package is called otherwise",
    "python",
    "Traceback (most recent call last):\n  File \"/app/main.py\", line 1, in <module>\n    import discord\nModuleNotFoundError: No module named 'discord'",
    /Falta o módulo discord\. Ponha discord\.py em uma linha do requirements\.txt/,
  ],
  [
    "a syntax error of Python",
    "python",
    '  File "/app/main.py", line 4\n    print("a"\n         ^\nSyntaxError: \'(\' was never closed',
    /Erro de sintaxe em main\.py, linha 4: '\(' was never closed/,
  ],
  [
    "an indentation error",
    "python",
    '  File "/app/bot.py", line 2\n    x = 1\nIndentationError: unexpected indent',
    /Erro de indentação em bot\.py, linha 2/,
  ],
  [
    "a missing start file of Python",
    "python",
    "python: can't open file '/app/bot.py': [Errno 2] No such file or directory",
    /O arquivo bot\.py não existe/,
  ],
  [
    "a package that pip does not find",
    "python",
    "ERROR: No matching distribution found for flaskk==9",
    /O pacote flaskk==9 não existe/,
  ],
  [
    "a wheel that cannot be built",
    "python",
    "error: command 'x86_64-linux-gnu-gcc' failed: No such file or directory",
    /build-essential/,
  ],
  [
    "a class file of a newer Java",
    "java",
    "java.lang.UnsupportedClassVersionError: A has been compiled by a more recent version of the Java Runtime (class file version 69.0)",
    /para o Java 25/,
  ],
  [
    "a jar that is not there",
    "java",
    "Error: Unable to access jarfile bot.jar",
    /O arquivo bot\.jar não existe/,
  ],
  [
    "Go that does not compile",
    "go",
    "# app\n./main.go:7:2: undefined: fooo",
    /não compila: main\.go, linha 7: undefined: fooo/,
  ],
  [
    "a newer Go in go.mod",
    "go",
    "go: go.mod requires go >= 1.99 (running go 1.27.4; GOTOOLCHAIN=local)",
    /pede o Go 1\.99/,
  ],
  [
    "a missing module of Go",
    "go",
    "main.go:3:8: no required module provides package github.com/a/b; to add it:",
    /Falta o módulo github\.com\/a\/b/,
  ],
  [
    "a syntax error of PHP",
    "php",
    'PHP Parse error:  syntax error, unexpected token "}" in /app/index.php on line 9',
    /em index\.php, linha 9/,
  ],
  [
    "Composer that was not run",
    "php",
    "PHP Fatal error:  Uncaught Error: Failed opening required '/app/vendor/autoload.php'",
    /Composer não foram instaladas/,
  ],
  [
    "a missing gem",
    "ruby",
    "<internal:kernel>: cannot load such file -- sinatra (LoadError)",
    /Falta a gem sinatra/,
  ],
  [
    "Elixir that does not compile",
    "elixir",
    "** (CompileError) lib/bot.ex:3: undefined variable",
    /lib\/bot\.ex, linha 3/,
  ],
  [
    "a full disk",
    "ruby",
    "Errno::ENOSPC: No space left on device @ io_write",
    /O disco do projeto está cheio/,
  ],
];

for (const [name, language, text, expected] of cases) {
  test(`explained: ${name}`, () => assert.match(explain(language, text) ?? "", expected));
}

test("colours are no hindrance, and what is not known is not explained", () => {
  assert.match(
    explain("node", "\u001b[31mError: Cannot find module 'ws'\u001b[39m") ?? "",
    /Falta o módulo ws/,
  );
  assert.equal(explain("node", "TypeError: a is not a function"), undefined);
  assert.equal(explain("static", ""), undefined);
});

const hostileSeeds = [
  ..."/app/|'|(|requires | |a:1:|404 |python version |Error: |error: |localhost |ENOTFOUND a|lookup |Traceback (most recent call last):".split(
    "|",
  ),
  ..."npm error |npm error code EBADENGINE |npm error EUSAGE can only install packages when |npm error ETARGET |E404 ".split(
    "|",
  ),
  ..."Requires-Python <|ERR_PNPM_UNSUPPORTED_ENGINE |System limit for number of file watchers reached |Connection refused ".split(
    "|",
  ),
  ..."partially initialized module 'a'|** (CompileError) |SyntaxError: |Cannot find module 'linux-x64".split(
    "|",
  ),
  ..."a.c:1: error: x|not found: make |gyp ERR! stack Error |YN0035: a@npm:|after connection broken by |sh: 1: ./|env: '\\r ".split(
    "|",
  ),
];

test("hostile lines make no long text and take no long time", () => {
  const long = `Error: Cannot find module '${"a".repeat(5_000)}'`;
  assert.ok((explain("node", long) ?? "").length < 400);
  const before = process.cpuUsage();
  for (const language of ["node", "python", "go", "php", "ruby", "java", "elixir"] as const) {
    for (const seed of hostileSeeds) {
      const line = seed.repeat(Math.ceil(1_000 / seed.length));
      const lines = Array.from({ length: 100 }, () => line);
      sinceLastError(language, lines);
      // An install's text is not cut.
      explain(language, lines.join("\n"), "install");
    }
  }
  // Processor time, as other programs may keep this one waiting for much longer.
  const { user } = process.cpuUsage(before);
  assert.ok(user < 10_000_000, `no pattern takes more than its share: ${user / 1000} ms`);
});
