/** The runner of all tests ends what it has started: by its deadline and when it is stopped itself. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { text } from "node:stream/consumers";
import { join } from "node:path";
import { suite, test } from "node:test";
import { until } from "../support/until.ts";

/** Environment of processes that must not count as tests of this one. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name !== "NODE_TEST_CONTEXT"),
);

/** The default first file: it goes on for ever, outside of any test. */
const endless = "setInterval(() => {}, 1000);";

/** Makes two stages: a file that runs `source` and never ends by itself, and one that leaves a mark. */
function fixture(source = endless) {
  const directory = mkdtempSync(join(tmpdir(), "tijolo-test-runner-"));
  const write = (name: string, content: string) => writeFileSync(join(directory, name), content);
  write(
    "endless.test.mjs",
    `import { writeFileSync } from "node:fs"; writeFileSync("pid", String(process.pid)); ${source}`,
  );
  write("next.test.mjs", `import { writeFileSync } from "node:fs"; writeFileSync("next", "");`);
  const has = (name: string) => existsSync(join(directory, name));
  return {
    has,
    pid: () =>
      until(() => (has("pid") && Number(readFileSync(join(directory, "pid"), "utf8"))) || undefined, {
        timeoutMs: 60_000,
      }),
    run(deadlines: { fileMs?: number; afterLastTestMs?: number; allMs?: number }) {
      const module = JSON.stringify(join(import.meta.dirname, "../run-tests.ts"));
      const stages = `[{ files: ["endless.test.mjs"], atOnce: 1 }, { files: ["next.test.mjs"], atOnce: 1 }]`;
      write(
        "run.mjs",
        `import { runTests } from ${module}; process.exitCode = await runTests(process.cwd(), ${stages}, ${JSON.stringify(deadlines)});`,
      );
      return spawn(process.execPath, ["run.mjs"], {
        cwd: directory,
        env: environment,
        stdio: ["ignore", "pipe", "ignore"],
      });
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Most of their time is waiting for deadlines, so they run beside each other. */
suite("the runner of all tests", { concurrency: true }, () => {
  test("a file that never ends is ended by the deadline of all, and what would follow is left out", async () => {
    await using files = fixture();
    const runner = files.run({ allMs: 30_000 });
    const pid = await files.pid();
    const [said] = await Promise.all([text(runner.stdout), once(runner, "exit")]);
    assert.equal(runner.exitCode, 1);
    assert.match(said, /it took longer than 0.5 min; these were running:\n.*endless\.test\.mjs: no test/);
    await until(() => !isAlive(pid));
    assert.ok(!files.has("next"));
  });

  test("a file that is kept alive is given up alone, and says by what", async () => {
    await using files = fixture();
    const runner = files.run({ fileMs: 10_000 });
    const [said] = await Promise.all([text(runner.stdout), once(runner, "exit")]);
    assert.equal(runner.exitCode, 1);
    assert.match(said, /given up after 10 s; it is kept alive by: .*Timeout/);
    assert.ok(files.has("next"));
  });

  test("a file that outlives its last test is ended soon after it, and says what keeps it alive", async () => {
    await using files = fixture(
      `import { suite, test } from "node:test"; test("short", () => {}); ${endless}`,
    );
    const runner = files.run({ afterLastTestMs: 3_000 });
    const [said] = await Promise.all([text(runner.stdout), once(runner, "exit")]);
    assert.equal(runner.exitCode, 1);
    assert.match(said, /ended 3 s after its last test; it is kept alive by: .*Timeout/);
    assert.ok(files.has("next"));
  });

  test("a test that hangs is named when the run is over its deadline", async () => {
    await using files = fixture(
      `import { suite, test } from "node:test"; test("waits for ever", () => new Promise(() => {})); ${endless}`,
    );
    const runner = files.run({ allMs: 30_000 });
    const [said] = await Promise.all([text(runner.stdout), once(runner, "exit")]);
    assert.equal(runner.exitCode, 1);
    assert.match(said, /endless\.test\.mjs: waits for ever/);
  });

  test("a stop of the runner ends its files", async () => {
    await using files = fixture();
    const runner = files.run({});
    const pid = await files.pid();
    runner.kill("SIGINT");
    const [code] = (await once(runner, "exit")) as [number | null];
    assert.equal(code, 1);
    await until(() => !isAlive(pid));
    assert.ok(!files.has("next"));
  });

  test("a test that hangs in a group is named with its own file, and times are told by file", async () => {
    await using files = fixture(`import { describe, test } from "node:test";
    describe("part/short.test.mjs", () => void test("short", () => {}));
    describe("part/long.test.mjs", () => void test("waits for ever", () => new Promise(() => {}))); ${endless}`);
    const runner = files.run({ allMs: 30_000 });
    const [said] = await Promise.all([text(runner.stdout), once(runner, "exit")]);
    assert.match(said, /endless\.test\.mjs: waits for ever\n {2}part\/long\.test\.mjs: no test/);
    assert.match(said, /\n {2}[\d.]+ s part\/short\.test\.mjs\n/);
    assert.doesNotMatch(said.slice(said.indexOf("these were running")), /short/);
  });
});
