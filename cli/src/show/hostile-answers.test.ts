/** Whatever a server answers, or a host had it answer, no command lets it steer the terminal. */

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { Writable } from "node:stream";
import { test } from "node:test";
import type { HostSummary, HostView } from "@tijolo/protocol";
import { createRunner } from "../../../test/support/commands/command-runner.ts";
import { commands } from "../commands.ts";
import { Output } from "./output.ts";

const attacks = [
  "\u001b]0;pwned\u0007",
  "\u001b[2J",
  "\u009b2J",
  "\u0007",
  "\r",
  "\u007f",
  "\u2028",
  "\u2029",
  "\u202e",
  "\u2066",
  "\u200f",
  "\u061c",
];
const hostile = `before${attacks.join("")}after`;
/** Colours pass, as they do in a log. */
// oxlint-disable-next-line no-control-regex -- exactly these are meant
const steering =
  /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\u001b(?!\[[0-9;]*m)/u;

function assertHarmless(text: string, what: string): void {
  assert.ok(!steering.test(text), `${what}: ${JSON.stringify(text)}`);
}

test("each way to write shows what steers a terminal as what it is, and JSON means the same", () => {
  const written = { stdout: "", stderr: "" };
  const stream = (name: "stdout" | "stderr") =>
    Object.assign(
      new Writable({ write: (chunk, _encoding, done) => done(void (written[name] += String(chunk))) }),
      {
        isTTY: name === "stderr",
      },
    );
  const streams = { stdout: stream("stdout"), stderr: stream("stderr") };
  const output = new Output(streams, { isJson: false });
  output.line(hostile);
  output.note(hostile);
  output.error(hostile);
  assertHarmless(written.stdout, "stdout");
  assertHarmless(written.stderr, "stderr");
  assert.match(written.stdout, /before\\x1b\]0;pwned\\x07.*\\u2028.*\\u202e.*after\n$/);
  written.stderr = "";
  output.progress(hostile);
  assertHarmless(written.stderr.replace("\r\u001b[2K", ""), "progress");
  written.stdout = "";
  new Output(streams, { isJson: true }).json({ hostile });
  assertHarmless(written.stdout, "json");
  assert.deepEqual(JSON.parse(written.stdout), { hostile });
});

test("no command lets a refusal steer the terminal", async () => {
  await using runner = await createRunner();
  runner.environment["TIJOLO_OPERATOR_TOKEN"] = "tjo_token";
  runner.answer = () =>
    Response.json(
      { status: "error", code: hostile, message: hostile, error: { message: hostile } },
      { status: 400 },
    );
  let asked = 0;
  for (const { name, examples } of commands) {
    for (const example of examples) {
      runner.requests.length = 0;
      const words = example.replace(/ <.*/, "").split(" ").slice(1);
      for (const options of [[], ["--json"]]) {
        const { stdout, stderr } = await runner.run([...words, ...options]);
        assertHarmless(stdout + stderr, name);
      }
      asked += runner.requests.length;
    }
  }
  assert.ok(asked > 50, `${asked} requests were refused`);
});

const summary: HostSummary = {
  id: "01J0000000000000000000000A",
  name: `a\nforged ${hostile}`,
  state: "connected",
  resources: {
    cpuCount: 1,
    memoryMb: 1024,
    diskMb: 1,
    diskFreeMb: 1,
    operatingSystem: hostile,
    architecture: hostile,
  },
  countedMemoryMb: 512,
  agentVersion: hostile,
  reservedMemoryMb: 0,
  projects: 0,
  mesh: { range: hostile, state: "clash", clashesWith: hostile },
  lastSeenAt: hostile,
  createdAt: hostile,
};
const view: HostView = {
  host: summary,
  memory: { keptBackMb: 512, freeMb: 512 },
  promisedDiskMb: 0,
  usage: null,
  answer: "complete",
  machine: {
    runtime: "nspawn",
    kernel: hostile,
    cgroups: "v2",
    disks: "image",
    io: "all",
    userNamespaces: "filtered",
  },
  projects: [],
};

test("a machine whose words are hostile is listed and shown on a line for each of its fields", async () => {
  await using runner = await createRunner();
  runner.environment["TIJOLO_OPERATOR_TOKEN"] = "tjo_token";
  for (const [words, data] of [
    [["cluster", "host", "list"], { hosts: [summary] }],
    [["cluster", "host", "show", "a"], view],
  ] as const) {
    runner.answer = () => Response.json(data);
    const { code, stdout, stderr } = await runner.run(words);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /before/);
    assertHarmless(stdout + stderr, words.join(" "));
    assert.doesNotMatch(stdout, /^forged/m);
  }
});

test("nothing but the output and the question of a line writes to the terminal", async () => {
  const root = new URL("../", import.meta.url);
  const files = (await readdir(root, { recursive: true })).filter(
    (path) => path.endsWith(".ts") && !path.endsWith(".test.ts"),
  );
  const writers: string[] = [];
  for (const path of files) {
    const text = await readFile(new URL(path, root), "utf8");
    if (/\b(?:stdout|stderr|console)\)?\.(?:write|log|error|warn|info)\(/.test(text)) writers.push(path);
  }
  // The second writes to a pipe of the command's.
  assert.deepEqual(writers.sort(), ["ask/ask-line.ts", "doctor/schema-version-program.ts", "show/output.ts"]);
});
