/** A run may have met errors that it went on after: only the one that ended it is to be explained. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Language } from "@tijolo/protocol";
import type { LogSection } from "../logs/writer/log-files.ts";
import { ownerText } from "../../../test/support/projects/owner-text.ts";
import { sampleAssignment } from "../../../test/support/samples.ts";
import { explainFailure } from "./explanation.ts";
import { sinceLastError } from "./last-error.ts";

function explain(language: Language, text: string, section: LogSection = "app"): string | undefined {
  const message = explainFailure(
    { settings: { ...sampleAssignment().settings, language, version: "24" }, section },
    text.split("\n"),
  );
  return message && ownerText(message);
}

const refused = `[ioredis] Unhandled error event: Error: connect ECONNREFUSED 127.0.0.1:6379
    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:2021:16) {
  errno: -111,
  code: 'ECONNREFUSED',
  syscall: 'connect',
  address: '127.0.0.1',
  port: 6379
}`;

const typeError = `/app/index.js:2
    a.b.c
      ^

TypeError: Cannot read properties of undefined (reading 'b')
    at Timeout._onTimeout (/app/index.js:2:124)
    at listOnTimeout (node:internal/timers:685:17)

Node.js v24.21.0`;

const numpyMissing = `Traceback (most recent call last):
  File "/app/main.py", line 2, in <module>
    import numpy
ModuleNotFoundError: No module named 'numpy'`;

const keyError = `Traceback (most recent call last):
  File "/app/main.py", line 5, in <module>
    {}["a"]
    ~~^^^^^
KeyError: 'a'`;

test("what a program handled before its last error explains nothing", () => {
  assert.match(explain("node", refused) ?? "", /localhost:6379/);
  assert.equal(explain("node", `${refused}\n${refused}\n${typeError}`), undefined);
  assert.match(explain("python", numpyMissing) ?? "", /numpy/);
  assert.equal(explain("python", `${numpyMissing}\n${keyError}`), undefined);
  const classMissing =
    "java.lang.ClassNotFoundException: org.sqlite.JDBC\n\tat java.base/java.lang.Class.forName0(Native Method)";
  const nullPointer = `Exception in thread "main" java.lang.NullPointerException: Cannot invoke "String.length()"\n\tat Main.main(Main.java:9)`;
  assert.match(explain("java", classMissing) ?? "", /org\.sqlite\.JDBC/);
  assert.equal(explain("java", `${classMissing}\n${nullPointer}`), undefined);
});

test("what an install said before its last error counts", () => {
  assert.match(explain("python", `${numpyMissing}\n${keyError}`, "install") ?? "", /numpy/);
});

test("the causes that a traceback names belong to it", () => {
  const handling = "\n\nDuring handling of the above exception, another exception occurred:\n\n";
  const cause = "\n\nThe above exception was the direct cause of the following exception:\n\n";
  const text = `${keyError}\n${numpyMissing}${handling}${keyError}${cause}${keyError}`.split("\n");
  assert.equal(sinceLastError("python", text).join("\n"), text.slice(keyError.split("\n").length).join("\n"));
});

test("a traceback that ends nothing hides no other", () => {
  const ignored = `Exception ignored in: <function _ProactorBasePipeTransport.__del__ at 0x1>\n${keyError}`;
  assert.match(explain("python", `${numpyMissing}\n${ignored}`) ?? "", /numpy/);
  const gunicorn = `Traceback (most recent call last):
  File "/app/.venv/lib/python3.13/site-packages/gunicorn/arbiter.py", line 242, in handle_chld
    self.reap_workers()
gunicorn.errors.HaltServer: <HaltServer 'Worker failed to boot.' 3>`;
  assert.match(
    explain("python", `[7] [ERROR] Exception in worker process\n${numpyMissing}\n${gunicorn}`) ?? "",
    /numpy/,
  );
});

test("an error of Node keeps the place above it and the errors inside it", () => {
  const syntax =
    "/app/index.js:3\nconst a = ;\n          ^\n\nSyntaxError: Unexpected token ';'\n    at wrapSafe (node:internal/modules/cjs/loader:1512:18)";
  assert.match(explain("node", `${typeError}\n${syntax}`) ?? "", /em index\.js, linha 3/);
  const aggregate = `AggregateError [ECONNREFUSED]:
    at internalConnectMultiple (node:net:1134:18) {
  code: 'ECONNREFUSED',
  [errors]: [
    Error: connect ECONNREFUSED ::1:5432
        at createConnectionError (node:net:1677:14) {
      port: 5432
    }
  ]
}`;
  assert.match(explain("node", `${typeError}\n${aggregate}`) ?? "", /localhost:5432/);
  const required =
    "Error: Cannot find module 'ws'\nRequire stack:\n- /app/a.js\n- /app/index.js\n    at Module._resolveFilename";
  assert.equal(
    sinceLastError("node", `${typeError}\n${required}`.split("\n"))[0],
    "Error: Cannot find module 'ws'",
  );
});

test("of what is known of the text, the newest explains, and of a compiler's errors the first", () => {
  assert.match(
    explain(
      "node",
      "Error: Cannot find module 'ws'\nError: listen EADDRINUSE: address already in use :::3000",
    ) ?? "",
    /porta 3000/,
  );
  assert.match(
    explain(
      "node",
      "Error: listen EADDRINUSE: address already in use :::3000\nError: Cannot find module 'ws'",
    ) ?? "",
    /módulo ws/,
  );
  const go =
    "# app\n./main.go:7:2: undefined: first\n./main.go:9:2: undefined: second\n./main.go:9:2: too many errors";
  assert.match(explain("go", go, "install") ?? "", /linha 7: undefined: first/);
});
