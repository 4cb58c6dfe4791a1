import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { loadMessages, type MessageLanguage } from "../messages.ts";
import { Output } from "../show/output.ts";
import { parseLogRecord } from "./log-tail.ts";
import { ServiceLines } from "./service-lines.ts";

/** Returns what a person reads of these lines of the agent's log. */
async function shown(language: MessageLanguage, records: readonly object[]): Promise<string[]> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = new Output({ stdout, stderr }, { isJson: false });
  const lines = new ServiceLines({ output, messages: await loadMessages(language), clock: { now: () => 0 } });
  for (const record of records) lines.show("agent", parseLogRecord(JSON.stringify(record)));
  return String(stderr.read() ?? "")
    .split("\n")
    .filter(Boolean);
}

const fetching = { level: 30, msg: "Fetching nginx from Debian", news: { code: "fetching", what: "nginx" } };
const setting = "kernel.io_uring_disabled";
const lax = { level: 40, msg: "io_uring", news: { code: "lax_setting", setting, value: 0 } };
const serves = { level: 30, msg: "agent serves" };

test("what a program reports of its machine is said in the reader's language", async () => {
  assert.deepEqual(await shown("pt", [fetching, lax]), [
    "  agent: Trazendo o nginx do Debian",
    "  agent: Qualquer usuário da máquina pode usar io_uring (kernel.io_uring_disabled é 0).",
  ]);
  assert.deepEqual(await shown("en", [fetching, lax]), [
    "  agent: Fetching nginx from Debian",
    "  agent: Every user of the machine can use io_uring (kernel.io_uring_disabled is 0).",
  ]);
});

test("progress is shown until the agent serves, warnings always and once, other lines never", async () => {
  const warning = { level: 40, msg: "a warning without a code", err: { message: "why" } };
  const newer = { level: 40, msg: "of a newer program", news: { code: "not_known" } };
  assert.deepEqual(await shown("pt", [{ level: 30, msg: "link: connected" }, serves, fetching, lax, lax]), [
    "  agent: Qualquer usuário da máquina pode usar io_uring (kernel.io_uring_disabled é 0).",
  ]);
  assert.deepEqual(await shown("pt", [warning, newer]), [
    "  agent: a warning without a code: why",
    "  agent: of a newer program",
  ]);
});
