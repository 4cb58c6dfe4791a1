/**
 * Tests explanations of failures that used to be explained wrongly or not at all. The lines are what the
 * programs print, except for the name of the registry.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Language, ProjectSettings } from "@tijolo/protocol";
import { ownerText } from "../../../test/support/projects/owner-text.ts";
import { sampleSettings } from "../../../test/support/samples.ts";
import type { SourceTree } from "../languages/language-rules.ts";
import { explainStep, withoutUsage } from "./explain-step.ts";
import { explainFailure } from "./explanation.ts";

function explain(
  language: Language,
  lines: readonly string[],
  settings: Partial<ProjectSettings> = {},
): string | undefined {
  const message = explainFailure(
    { settings: sampleSettings({ language, version: "24", ...settings }), section: "install" },
    withoutUsage(lines),
  );
  return message && ownerText(message);
}

/** Lines that dash 0.5.12, bash 5.2 and 5.1, and env of coreutils 9.1 print for scripts saved with CRLF. */
const windowsScripts: readonly (readonly [called: string, lines: readonly string[], expected: RegExp])[] = [
  [
    "bash start.sh, with an empty line",
    ["hi\r", "start.sh: line 2: $'\\r': command not found"],
    /^O script start\.sh foi salvo no Windows/,
  ],
  [
    "bash start.sh, with a loop",
    [
      "start.sh: line 3: syntax error near unexpected token `$'do\\r''",
      "start.sh: line 3: `for i in 1; do\r'",
    ],
    /^O script start\.sh foi salvo no Windows/,
  ],
  [
    "bash start.sh, with a block",
    ["hi\r", "start.sh: line 7: syntax error: unexpected end of file"],
    /^O script start\.sh acaba no meio.*CRLF/,
  ],
  [
    "sh start.sh, with a block",
    ["hi\r", 'start.sh: 7: Syntax error: end of file unexpected (expecting "then")'],
    /^O script start\.sh acaba no meio.*CRLF/,
  ],
  [
    "sh start.sh, with an empty line",
    ["start.sh: 2: \r: not found"],
    /^O script start\.sh foi salvo no Windows/,
  ],
  [
    "sh start.sh, with set -e",
    ["start.sh: 2: set: Illegal option -\r"],
    /^O script start\.sh foi salvo no Windows/,
  ],
  [
    "bash start.sh, with set -e",
    [
      "start.sh: line 2: set: -\r: invalid option",
      "set: usage: set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]",
    ],
    /^O script start\.sh foi salvo no Windows/,
  ],
  [
    "./start.sh with env",
    [
      "/usr/bin/env: ‘bash\\r’: No such file or directory",
      "/usr/bin/env: use -[v]S to pass options in shebang lines",
    ],
    /^Um script foi salvo no Windows/,
  ],
  [
    "./start.sh with env, without UTF-8",
    ["env: 'node\\r': No such file or directory"],
    /^Um script foi salvo no Windows/,
  ],
  [
    "./start.sh from bash 5.1",
    ["bash: ./start.sh: /bin/bash^M: bad interpreter: No such file or directory"],
    /^O script \.\/start\.sh foi salvo no Windows/,
  ],
  [
    "./start.sh from dash",
    ["/bin/sh: 1: ./start.sh: not found"],
    /^O script \.\/start\.sh não existe, ou .*CRLF/,
  ],
  [
    "./start.sh from bash 5.2",
    ["bash: line 1: ./start.sh: cannot execute: required file not found"],
    /^O script \.\/start\.sh não existe, ou .*CRLF/,
  ],
];

for (const [called, lines, expected] of windowsScripts) {
  test(`a script of Windows is told: ${called}`, () => {
    for (const language of ["node", "python", "go"] as const)
      assert.match(explain(language, lines) ?? "", expected, language);
  });
}

test("a script that the shell only says not to find is looked at in the upload", async () => {
  const explained = async (script: string | undefined) => {
    const tree: SourceTree = {
      has: () => false,
      hasFolder: () => false,
      read: (path) => (path === "start.sh" ? script : undefined),
      digests: () => undefined,
    };
    const line = { section: "app", stream: "stderr", text: "/bin/sh: 1: ./start.sh: not found" } as const;
    const lines = [{ ...line, version: 1, cursor: "", at: new Date(0) }];
    const logs = {
      readLast: async () => ({ lines, nextCursor: "", previousCursor: null, delivered: [] }),
    };
    const explainer = {
      explain: async (...failed: Parameters<typeof explainFailure>) => explainFailure(...failed),
    };
    const step = {
      projectId: "p",
      section: "app",
      since: new Date(0),
      settings: sampleSettings(),
      tree,
    } as const;
    const message = await explainStep({ logs, explainer }, step);
    return message?.code;
  };
  assert.equal(await explained("#!/bin/bash\r\necho hi\r\n"), "windows_line_ends");
  assert.equal(await explained("#!/bin/bash\necho hi\n"), "script_not_runnable");
  assert.equal(await explained(undefined), "script_not_runnable");
});

/** Lines that telegraf 4 and grammy 1 print when the server answers as Telegram's does. */
const telegram: readonly (readonly [name: string, lines: readonly string[], expected: RegExp])[] = [
  [
    "telegraf with a wrong token",
    [
      "/app/node_modules/telegraf/lib/core/network/client.js:315",
      "            throw new error_1.default(data, { method, payload });",
      "                  ^",
      "",
      "TelegramError: 401: Unauthorized",
      "    at Telegram.callApi (/app/node_modules/telegraf/lib/core/network/client.js:315:19)",
      "    at process.processTicksAndRejections (node:internal/process/task_queues:104:5)",
      "    at async Telegraf.launch (/app/node_modules/telegraf/lib/telegraf.js:188:78) {",
      "  response: { ok: false, error_code: 401, description: 'Unauthorized' },",
      "  on: { method: 'getMe', payload: {} }",
      "}",
      "",
      "Node.js v24.21.0",
    ],
    /^O token do bot é inválido.*tijolo env/,
  ],
  [
    "telegraf without a token",
    [
      "/app/node_modules/telegraf/lib/core/network/client.js:290",
      "            throw new error_1.default({",
      "                  ^",
      "",
      "TelegramError: 401: Bot Token is required",
      "    at Telegram.callApi (/app/node_modules/telegraf/lib/core/network/client.js:290:19)",
      "    at Telegram.getMe (/app/node_modules/telegraf/lib/telegram.js:17:21) {",
      "  response: { error_code: 401, description: 'Bot Token is required' },",
      "  on: {}",
      "}",
      "",
      "Node.js v24.21.0",
    ],
    /^O bot iniciou sem token.*tijolo env set/,
  ],
  [
    "grammy with a wrong token",
    [
      "GrammyError: Call to 'getMe' failed! (401: Unauthorized)",
      "    at toGrammyError (/app/node_modules/grammy/out/core/error.js:47:12)",
    ],
    /^O token do bot é inválido/,
  ],
  [
    "grammy without a token",
    ["Error: Empty token!", "    at new Bot (/app/node_modules/grammy/out/bot.js:103:19)"],
    /^O bot iniciou sem token/,
  ],
];

for (const [name, lines, expected] of telegram)
  test(`a bot of Telegram is told: ${name}`, () => assert.match(explain("node", lines) ?? "", expected));

test("npm ci with a lock file out of step is told, however much npm prints after it", () => {
  const error = [
    "npm error code EUSAGE",
    "npm error",
    "npm error `npm ci` can only install packages when your package.json and package-lock.json or npm-shrinkwrap.json are in sync. Please update your lock file with `npm install` before continuing.",
    "npm error",
    "npm error Missing: is-odd@3.0.1 from lock file",
    "npm error Missing: is-number@6.0.0 from lock file",
  ];
  const usage = [
    "npm error",
    "npm error Clean install a project",
    "npm error",
    "npm error Usage:",
    "npm error npm ci",
    "npm error",
    "npm error Options:",
    "npm error [--install-strategy <hoisted|nested|shallow|linked>] [--legacy-bundling]",
    ...Array.from({ length: 60 }, () => [
      "npm error",
      "npm error   --omit",
      "npm error     Dependency types to omit from the installation tree on disk.",
    ]).flat(),
    "npm error aliases: clean-install, ic, install-clean, isntall-clean",
    'npm error Run "npm help ci" for more info',
  ];
  assert.ok(withoutUsage([...error, ...usage]).length < 20, "it does not push the error out of what is read");
  for (const lines of [error, [...error, ...usage]])
    assert.match(
      explain("node", lines) ?? "",
      /lock não combina com o package\.json \(falta is-odd@3\.0\.1\)/,
    );
  const missing = [
    "npm error code EUSAGE",
    "npm error",
    "npm error The `npm ci` command can only install with an existing package-lock.json or",
    "npm error npm-shrinkwrap.json with lockfileVersion >= 1. Run an install with npm@5 or",
    "npm error later to generate a package-lock.json file, then try again.",
    ...usage,
  ];
  assert.match(explain("node", missing) ?? "", /precisa do package-lock\.json, que não está no \.zip/);
});

/** Lines of node-gyp 12.4 with make and gcc 14, as npm 11 ends the output of a failed install with them. */
const compiled = [
  "gyp info it worked if it ends with ok",
  "gyp info using node-gyp@12.4.0",
  'gyp info find Python using Python version 3.13.5 found at "/usr/bin/python3"',
  "gyp info spawn make",
  "make: Entering directory '/app/build'",
  "gyp info spawn args [ 'BUILDTYPE=Release', '-C', 'build' ]",
  "  CC(target) Release/obj.target/addon/src/addon.o",
  "../src/addon.c: In function ‘Answer’:",
  "../src/addon.c:5:3: error: implicit declaration of function ‘napi_create_integer’; did you mean ‘napi_create_int64’? [-Wimplicit-function-declaration]",
  "    5 |   napi_create_integer(env, 42, &value);",
  "      |   ^~~~~~~~~~~~~~~~~~~",
  "../src/addon.c:9:1: error: expected ‘;’ before ‘}’ token",
  "make: Leaving directory '/app/build'",
  "make: *** [addon.target.mk:108: Release/obj.target/addon/src/addon.o] Error 1",
  "gyp ERR! build error ",
  "gyp ERR! stack Error: `make` failed with exit code: 2",
  "gyp ERR! stack at ChildProcess.<anonymous> (/usr/local/lib/node_modules/npm/node_modules/node-gyp/lib/build.js:219:23)",
  "gyp ERR! System Linux 6.12.0",
  "gyp ERR! cwd /app",
  "gyp ERR! not ok ",
  "npm error code 1",
  "npm error path /app",
  "npm error command failed",
  "npm error command /bin/bash -c node-gyp rebuild",
];

test("a module that does not compile is told by the compiler's first error, also where npm repeats it", () => {
  const expected = /^Um módulo não compila: src\/addon\.c, linha 5: implicit declaration.*aceite node 24/;
  const repeated = compiled.map((line) => (line.startsWith("npm ") ? line : `npm error ${line}`));
  for (const lines of [compiled, repeated])
    assert.match(explain("node", lines, { systemPackages: ["build-essential", "python3"] }) ?? "", expected);
});

test("without a compiler, or without Python, a module asks for them; with them it does not", () => {
  const withoutMake = [
    "gyp ERR! build error ",
    "gyp ERR! stack Error: not found: make",
    "gyp ERR! stack at getNotFoundError (/usr/local/lib/node_modules/npm/node_modules/which/lib/index.js:16:17)",
    "gyp ERR! not ok ",
  ];
  const withoutPython = [
    "gyp ERR! find Python ",
    "gyp ERR! find Python Python is not set from command line or npm configuration",
    "gyp ERR! configure error ",
    "gyp ERR! stack Error: Could not find any Python installation to use",
    "gyp ERR! not ok ",
  ];
  for (const lines of [withoutMake, withoutPython])
    assert.match(explain("node", lines) ?? "", /Acrescente build-essential e python3 em systemPackages/);
  const other = ["gyp ERR! stack Error: 404 response downloading the headers", "gyp ERR! not ok "];
  assert.match(explain("node", other) ?? "", /Acrescente build-essential/);
  assert.match(
    explain("node", other, { systemPackages: ["build-essential"] }) ?? "",
    /^Um módulo não pôde ser compilado: Error: 404 response downloading the headers\. Os compiladores estão aqui/,
  );
});

test("a wheel or a gem that does not compile is told by the compiler's first error too", () => {
  const gcc = [
    "      src/fast.c: In function ‘parse’:",
    "      src/fast.c:12:10: fatal error: openssl/ssl.h: No such file or directory",
    "         12 | #include <openssl/ssl.h>",
    "      compilation terminated.",
  ];
  const expected = /^Um módulo não compila: src\/fast\.c, linha 12: openssl\/ssl\.h: No such file/;
  const wheel = [
    ...gcc,
    "      error: command '/usr/bin/x86_64-linux-gnu-gcc' failed with exit code 1",
    "  ERROR: Failed building wheel for fast",
  ];
  assert.match(explain("python", wheel) ?? "", expected);
  const gem = [
    "Gem::Ext::BuildError: ERROR: Failed to build gem native extension.",
    ...gcc,
    "make failed, exit code 2",
  ];
  assert.match(explain("ruby", gem) ?? "", expected);
  const noHeaders = [
    "      fast.c:1:10: fatal error: Python.h: No such file or directory",
    "      error: command '/usr/bin/x86_64-linux-gnu-gcc' failed with exit code 1",
    "  ERROR: Failed building wheel for fast",
  ];
  assert.match(explain("python", noHeaders) ?? "", /Acrescente build-essential/);
});

/**
 * Lines that npm 10.9 and 11.21, pnpm 10.34, yarn 1.22 and 4.18, Bun 1.4 and pip 23 print for a package that
 * does not exist.
 */
const unknownPackages: readonly (readonly [Language, readonly string[], RegExp])[] = [
  [
    "node",
    [
      "npm error code E404",
      "npm error 404 Not Found - GET https://registry.invalid/nao-existe",
      "npm error 404",
      "npm error 404  'nao-existe@*' is not in this registry.",
      "npm error 404",
      "npm error 404 Note that you can also install from a",
      "npm error 404 tarball, folder, http url, or git url.",
    ],
    /^O pacote nao-existe@\* não existe no npm/,
  ],
  [
    "node",
    [
      "npm error code E404",
      "npm error 404 Not Found - GET https://registry.invalid/nao-existe",
      "npm error 404",
      "npm error 404  The requested resource 'nao-existe@*' could not be found or you do not have permission to access it.",
      "npm error 404",
      "npm error 404 Note that you can also install from a",
      "npm error 404 tarball, folder, http url, or git url.",
      "npm error A complete log of this run can be found in: /home/project/.npm/_logs/debug-0.log",
    ],
    /^O pacote nao-existe@\* não existe no npm/,
  ],
  [
    "node",
    [
      " ERR_PNPM_FETCH_404  GET https://registry.invalid/nao-existe: Not Found - 404",
      "",
      "This error happened while installing a direct dependency of /app",
      "",
      "nao-existe is not in the npm registry, or you have no permission to fetch it.",
    ],
    /^O pacote nao-existe não existe no npm/,
  ],
  [
    "node",
    ["[1/4] Resolving packages...", 'error Couldn\'t find package "nao-existe" on the "npm" registry.'],
    /^O pacote nao-existe não existe no npm/,
  ],
  [
    "node",
    [
      "➤ YN0000: ┌ Resolution step",
      "➤ YN0035: │ @um/nao-existe@npm:*: Package not found",
      "➤ YN0035: │   Response Code: 404 (Not Found)",
      "➤ YN0035: │   Request Method: GET",
      "➤ YN0035: │   Request URL: https://registry.invalid/nao-existe",
      "➤ YN0000: └ Completed",
    ],
    /^O pacote @um\/nao-existe@\* não existe no npm/,
  ],
  [
    "node",
    ["error: GET https://registry.invalid/nao-existe - 404", "error: nao-existe@* failed to resolve"],
    /^O pacote nao-existe@\* não existe no npm/,
  ],
  [
    "python",
    [
      "ERROR: Could not find a version that satisfies the requirement nao-existe (from versions: none)",
      "ERROR: No matching distribution found for nao-existe",
    ],
    /^O pacote nao-existe não existe/,
  ],
  [
    "python",
    [
      "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7fe73850aed0>: Failed to establish a new connection: [Errno -2] Name or service not known')': /simple/six/",
      "ERROR: Could not find a version that satisfies the requirement six (from versions: none)",
      "ERROR: No matching distribution found for six",
    ],
    /^O pip não alcançou o índice de pacotes/,
  ],
];

for (const [index, [language, lines, expected]] of unknownPackages.entries()) {
  test(`a package that its registry does not have is named (${language} ${index + 1})`, () =>
    assert.match(explain(language, lines) ?? "", expected));
}
