/** Tests what becomes of a HAProxy that serves when its packages are updated: another takes its place. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { fetchedProgram, fetchHaproxy } from "../../central/gateway/src/haproxy/fetch-haproxy.ts";
import { programVersion } from "../../central/gateway/src/haproxy/program-version.ts";
import { haproxyOf } from "../support/machine/haproxy.ts";
import { SteadyLoad } from "../real/support/projects/steady-load.ts";
import { RawHttp } from "../support/requests/raw-http.ts";
import { HaproxyFixture } from "./haproxy-fixture.ts";

const run = promisify(execFile);

/** Copies the machine's HAProxy with its libraries, which the test may update. */
async function copyOf(argv: readonly string[], directory: string): Promise<string[]> {
  const [file = "", ...words] = argv;
  const env = { ...process.env, LD_TRACE_LOADED_OBJECTS: "1" };
  const { stdout } = await run(file, words, { env });
  const libraries = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path = ""]) => path);
  const program = words.at(-1) ?? (await run("which", [file])).stdout.trim();
  for (const path of [program, ...libraries]) await copyFile(path, join(directory, basename(path)));
  const loader = libraries.find((path) => basename(path).startsWith("ld-linux"));
  assert.ok(loader !== undefined);
  return [join(directory, basename(loader)), "--library-path", directory, join(directory, "haproxy")];
}

/** Starts a HAProxy before one site, which has 100 visits a second. */
async function visitedHaproxy(argv: string[]): Promise<
  AsyncDisposable & {
    haproxy: HaproxyFixture["haproxy"];
    pid: () => Promise<number | undefined>;
    load: SteadyLoad;
  }
> {
  await using parts = new AsyncDisposableStack();
  const fixture = parts.use(await HaproxyFixture.create(argv));
  const { haproxy, port } = fixture;
  await fixture.app("shop", (_, response) => response.end("ok"));
  const load = parts.use(new SteadyLoad(port, "shop", { perSecond: 100 }));
  const kept = parts.move();
  return {
    haproxy,
    pid: async () => (await haproxy.api.info())?.pid,
    load,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function assertNoneFailed(t: TestContext, load: SteadyLoad): Promise<void> {
  const report = await load.end();
  t.diagnostic(`${report.requests} visits, the longest ${report.longestMs.toFixed(0)} ms`);
  assert.deepEqual([...report.failures], []);
}

test("after an update of HAProxy or of a library another serves, and no visit fails; without one nothing happens", async (t) => {
  const machine = await haproxyOf(t);
  if (machine === undefined) return;
  const directory = await mkdtemp(join(tmpdir(), "hap-update-"));
  await using _removed = { [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
  const argv = await copyOf(machine, directory);
  await using visited = await visitedHaproxy(argv);
  const { haproxy, pid, load } = visited;
  const first = await pid();
  await haproxy.renew();
  assert.equal(await pid(), first);

  const before = await programVersion(argv);
  assert.match(before ?? "", /^HAProxy version 3\.\d+[^]*libssl\.so/);
  const library = join(directory, "libssl.so.3");
  await copyFile(library, `${library}.new`);
  await utimes(`${library}.new`, new Date(), new Date(Date.now() + 60_000));
  await rename(`${library}.new`, library);
  assert.notEqual(await programVersion(argv), before);
  await haproxy.renew();
  const second = await pid();
  assert.notEqual(second, first);
  await haproxy.renew();
  assert.equal(await pid(), second);

  const program = join(directory, "haproxy");
  await rename(program, `${program}.whole`);
  await writeFile(program, "half of it", { mode: 0o755 });
  await haproxy.renew();
  assert.equal(await pid(), second, "in the middle of an update nothing happens");
  await rename(`${program}.whole`, program);

  await assertNoneFailed(t, load);
});

test("a visitor whose connection is idle while HAProxy is replaced has the next answer on it, and is told to close", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  await fixture.app("shop", (_, response) => response.end("ok"));
  using visitor = await RawHttp.open(`http://127.0.0.1:${fixture.port}`);
  const ask = "GET / HTTP/1.1\r\nHost: shop.localhost\r\n\r\n";
  await visitor.send(ask);
  assert.equal((await visitor.answer()).headers.get("connection"), undefined);
  const pid = async () => (await fixture.haproxy.api.info())?.pid;
  const first = await pid();
  await fixture.haproxy.replace();
  assert.notEqual(await pid(), first);
  await delay(1_000); // time for the one before to close what it closes
  await visitor.send(ask);
  const { status, headers, body } = await visitor.answer();
  assert.deepEqual([status, headers.get("connection"), body], [200, "close", "ok"]);
});

test("a HAProxy that was fetched is made anew where Debian has newer packages, and no visit fails", async (t) => {
  if ((await haproxyOf(t)) === undefined) return;
  const directory = await mkdtemp(join(tmpdir(), "hap-fetched-"));
  await using _removed = { [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
  assert.equal(await fetchHaproxy(directory), true);
  const [link, now] = [join(directory, "haproxy"), await readlink(join(directory, "haproxy"))];
  assert.equal(await fetchHaproxy(directory), false, "nothing is newer");

  // As yesterday: a tree of other packages, and what a fetch has left that was killed.
  const old = "haproxy-0123456789abcdef";
  await rename(join(directory, now), join(directory, old));
  await rm(link);
  await symlink(old, link);
  await mkdir(`${join(directory, now)}.4194305.partial`); // no process has that number (proc(5), pid_max)
  await using visited = await visitedHaproxy(fetchedProgram(directory) ?? []);
  const { haproxy, pid, load } = visited;
  const first = await pid();
  assert.equal(await fetchHaproxy(directory), true);
  assert.equal(await readlink(link), now);
  assert.deepEqual((await readdir(directory)).toSorted(), ["haproxy", now], "nothing is left beside it");
  await haproxy.renew();
  assert.notEqual(await pid(), first);
  await assertNoneFailed(t, load);
});
