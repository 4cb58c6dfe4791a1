/** Tests the explanations of what interpreters, drivers and package managers print. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Language } from "@tijolo/protocol";
import { noSpaceWords } from "../disk/disk-full.ts";
import { ownerText } from "../../../test/support/projects/owner-text.ts";
import { sampleAssignment } from "../../../test/support/samples.ts";
import { explainFailure } from "./explanation.ts";

function explain(language: Language, text: string): string | undefined {
  const message = explainFailure(
    { settings: { ...sampleAssignment().settings, language, version: "24" }, section: "app" },
    text.split("\n"),
  );
  return message && ownerText(message);
}

const traceback = 'Traceback (most recent call last):\n  File "/app/main.py", line 1, in <module>\n';

const cases: readonly [name: string, language: Language, text: string, expected: RegExp][] = [
  [
    "JSON.parse of a page",
    "node",
    "<anonymous_script>:1\n<html>\n^\n\nSyntaxError: Unexpected token '<', \"<html>\" is not valid JSON\n    at JSON.parse (<anonymous>)",
    /^O programa leu como JSON/,
  ],
  [
    "JSON.parse of an empty file",
    "node",
    "<anonymous_script>:1\n\n\nSyntaxError: Unexpected end of JSON input\n    at JSON.parse (<anonymous>)\n    at Object.<anonymous> (/app/c.cjs:1:6)",
    /^O programa leu como JSON/,
  ],
  [
    "a JSON file with a mistake",
    "node",
    "    throw err;\n    ^\n\nSyntaxError: /app/config.json: Expected property name or '}' in JSON at position 1 (line 1 column 2)\n    at parse (<anonymous>)",
    /^O arquivo config\.json não é um JSON válido/,
  ],
  [
    "a host that does not exist",
    "node",
    "Error: getaddrinfo ENOTFOUND db.example.com\n    at GetAddrInfoReqWrap.onlookup [as oncomplete] (node:dns:112:26) {\n  code: 'ENOTFOUND',\n  syscall: 'getaddrinfo',\n  hostname: 'db.example.com'\n}",
    /^O endereço db\.example\.com não foi encontrado/,
  ],
  [
    "a host for now",
    "node",
    "Error: getaddrinfo EAI_AGAIN banco",
    /^O nome banco não pôde ser resolvido agora/,
  ],
  [
    "a host of psycopg2",
    "python",
    'psycopg2.OperationalError: could not translate host name "db" to address: Name or service not known',
    /^O endereço db não foi encontrado/,
  ],
  [
    "a host of Go",
    "go",
    "dial tcp: lookup db.local on 10.0.0.1:53: no such host",
    /^O endereço db\.local não foi encontrado/,
  ],
  [
    "a host of no name",
    "ruby",
    "getaddrinfo: Name or service not known (SocketError)",
    /^O endereço não foi encontrado/,
  ],
  [
    "Elixir's box",
    "elixir",
    '    error: undefined variable "x"\n    │\n  3 │     x\n    │     ^\n    │\n    └─ lib/a.ex:3:5: A.b/0\n\n\n== Compilation error in file lib/a.ex ==\n** (CompileError) lib/a.ex: cannot compile module A (errors have been logged)',
    /lib\/a\.ex, linha 3: undefined variable "x"\./,
  ],
  [
    "Elixir's syntax error",
    "elixir",
    "** (SyntaxError) invalid syntax found on lib/a.ex:3:5:\n    error: syntax error before: 'end'\n    │\n  3 │   end\n    │   ^\n    │\n    └─ lib/a.ex:3:5",
    /lib\/a\.ex, linha 3: syntax error before: 'end'\./,
  ],
  [
    "Elixir's missing token",
    "elixir",
    "** (TokenMissingError) token missing on lib/a.ex:5:4:",
    /lib\/a\.ex, linha 5\./,
  ],
  [
    "a missing module inside a package",
    "python",
    `${traceback}    import app.views\nModuleNotFoundError: No module named 'app.views'`,
    /^O pacote app existe, mas app\.views não/,
  ],
  [
    "a file in a package's place",
    "python",
    `${traceback}    import discord.ext\nModuleNotFoundError: No module named 'discord.ext'; 'discord' is not a package`,
    /um arquivo discord\.py em vez do pacote discord.*renomeie/,
  ],
  [
    "a name that an own file does not have",
    "python",
    `${traceback}    from app import foo\nImportError: cannot import name 'foo' from 'app' (/app/app.py)`,
    /^app\.py não define foo\./,
  ],
  [
    "a name that a package does not have",
    "python",
    `${traceback}ImportError: cannot import name 'url' from 'django.conf.urls' (/app/.venv/lib/python3.13/site-packages/django/conf/urls/__init__.py)`,
    /^url não existe em django\.conf\.urls.*fixe a versão/,
  ],
  [
    "a file called like a module",
    "python",
    `${traceback}ImportError: cannot import name 'Client' from partially initialized module 'discord' (most likely due to a circular import) (/app/discord.py)`,
    /^O seu arquivo discord\.py tem o mesmo nome de um módulo/,
  ],
  [
    "a file called like a module, of which only the module is said",
    "python",
    `${traceback}AttributeError: partially initialized module 'discord' has no attribute 'Client' (most likely due to a circular import)`,
    /^O seu arquivo discord\.py tem o mesmo nome de um módulo/,
  ],
  [
    "a file called like a module, as Python 3.13 says it",
    "python",
    `${traceback}AttributeError: module 'random' has no attribute 'randint' (consider renaming '/app/random.py' since it has the same name as the standard library module named 'random' and the import system gives it precedence)`,
    /^O seu arquivo random\.py tem o mesmo nome de um módulo/,
  ],
  [
    "a file of requirements",
    "python",
    "ERROR: Could not open requirements file: [Errno 2] No such file or directory: 'dev.txt'",
    /^O arquivo dev\.txt, que a instalação pede, não existe/,
  ],
  [
    "a lock file of Windows",
    "node",
    "Error: Cannot find module @rollup/rollup-linux-x64-gnu. npm has a bug related to optional dependencies (https://github.com/npm/cli/issues/4828). Please try `npm i` again after removing both package-lock.json and node_modules directory.\n    at requireWithFriendlyError (/app/node_modules/rollup/dist/native.js:64:9) {\n  [cause]: Error: Cannot find module '@rollup/rollup-linux-x64-gnu'\n  Require stack:\n  - /app/node_modules/rollup/dist/native.js",
    /^O arquivo de lock foi feito em outro sistema.*de @rollup\/rollup-linux-x64-gnu\. Apague/,
  ],
  [
    "a lock file of Windows, as lightningcss says it",
    "node",
    "Error: Cannot find module '../lightningcss.linux-x64-gnu.node'\nRequire stack:\n- /app/node_modules/lightningcss/node/index.js",
    /de \.\.\/lightningcss\.linux-x64-gnu/,
  ],
  [
    "a file that no build made",
    "node",
    "Error: Cannot find module '/app/dist/index.js'\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1401:15) {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}",
    /^O arquivo dist\/index\.js não foi criado/,
  ],
  [
    "a built file that another asks for",
    "node",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/app/dist/routes/users' imported from /app/dist/index.js",
    /^O arquivo dist\/routes\/users não existe/,
  ],
  [
    "Next.js without its build",
    "node",
    "Error: Could not find a production build in the '.next' directory. Try building your app",
    /next build/,
  ],
  [
    "too many watched files",
    "node",
    "Error: ENOSPC: System limit for number of file watchers reached, watch '/app/src'\n    at FSWatcher.<computed> (node:internal/fs/watchers:254:19) {\n  errno: -28,\n  syscall: 'watch',\n  code: 'ENOSPC',\n  path: '/app/src'\n}",
    /^O programa vigia arquivos demais/,
  ],
  [
    "a full disk, of Node",
    "node",
    "Error: ENOSPC: no space left on device, write\n    at writeSync (node:fs:1) {\n  code: 'ENOSPC'\n}",
    /^O disco do projeto está cheio/,
  ],
  [
    "a port opened twice, with the error's fields",
    "node",
    "Error: listen EADDRINUSE: address already in use :::3000\n    at Server.setupListenHandle [as _listen2] (node:net:1940:16) {\n  code: 'EADDRINUSE',\n  port: 3000\n}",
    /^A porta 3000 já está em uso/,
  ],
  [
    "a database on localhost, of psycopg2",
    "python",
    'psycopg2.OperationalError: connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?',
    /em localhost:5432,/,
  ],
  [
    "a database on localhost, of Go",
    "go",
    "dial tcp 127.0.0.1:5432: connect: connection refused",
    /em localhost:5432,/,
  ],
  [
    "a database on localhost, of JDBC",
    "java",
    "org.postgresql.util.PSQLException: Connection to localhost:5432 refused. Check that the hostname and port are correct",
    /em localhost:5432,/,
  ],
  [
    "a database on localhost, of PyMySQL",
    "python",
    "(2003, \"Can't connect to MySQL server on 'localhost' ([Errno 111] Connection refused)\")",
    /em localhost, e/,
  ],
  [
    "a database on localhost, of Ruby",
    "ruby",
    "Connection refused - connect(2) for 127.0.0.1:6379 (Errno::ECONNREFUSED)",
    /em localhost:6379,/,
  ],
  [
    "a lock file of another system, of Bundler",
    "ruby",
    'Your bundle only supports platforms ["arm64-darwin-23"] but your local platform is\nx86_64-linux.',
    /bundle lock --add-platform x86_64-linux/,
  ],
  [
    "a command of no gem",
    "ruby",
    "bundler: command not found: puma\nInstall missing gem executables with `bundle install`",
    /O comando puma/,
  ],
  ["a file of a gem", "ruby", "cannot load such file -- dotenv/load (LoadError)", /gem "dotenv" no Gemfile/],
  [
    "a gem called otherwise",
    "ruby",
    "cannot load such file -- active_support/all (LoadError)",
    /gem "activesupport" no Gemfile/,
  ],
  [
    "a process that is not there",
    "node",
    "Error: spawn ffmpeg ENOENT\n    at ChildProcess._handle.onexit",
    /Ponha ffmpeg-static em dependencies/,
  ],
  [
    "a process of a system package",
    "node",
    "Error: spawn convert ENOENT",
    /Acrescente imagemagick em systemPackages/,
  ],
  [
    "Prisma's client",
    "node",
    'Error: @prisma/client did not initialize yet. Please run "prisma generate" and try to import it again.\n    at new PrismaClient',
    /"build": "prisma generate"/,
  ],
  [
    "a PHP site without a file that opens it",
    "php",
    "php-server: index.php was not found",
    /^O servidor de PHP não encontrou index\.php\. Envie um index\.php/,
  ],
  [
    "a package that webpack does not find",
    "node",
    "Module not found: Error: Can't resolve 'axios' in '/app/src'",
    /Rode npm install axios/,
  ],
  [
    "a file that Next does not find",
    "node",
    "Module not found: Can't resolve '@/lib/Db'",
    /^O arquivo @\/lib\/Db não existe/,
  ],
];

for (const [name, language, text, expected] of cases) {
  test(`explained: ${name}`, () => assert.match(explain(language, text) ?? "", expected));
}

test("a service elsewhere that refuses is not told as one on localhost", () => {
  assert.equal(explain("node", "Error: connect ECONNREFUSED 10.0.0.3:5432 localhost"), undefined);
});

test("a limit of watchers is no full disk, on none of its lines", () => {
  for (const line of [
    "Error: ENOSPC: System limit for number of file watchers reached, watch '/app'",
    "  code: 'ENOSPC',",
  ])
    assert.doesNotMatch(line, noSpaceWords);
  for (const line of [
    "npm error nospc ENOSPC: no space left on device, write",
    "tar: x: Cannot write: No space left on device",
    "code ENOSPC",
  ])
    assert.match(line, noSpaceWords);
});
