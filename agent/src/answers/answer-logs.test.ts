import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { HostLogItem, LogRequest } from "@tijolo/protocol";
import { AccessLogs } from "../logs/access-logs.ts";
import { ProjectLogs } from "../logs/project-logs.ts";
import { TestDirectory } from "../logs/writer/test-log-writer.ts";
import { answerLogs } from "./answer-logs.ts";

const project = "01K0TESTPR0JECT";

test("a page after a cursor has what is there to its end, however long it takes to look for it", async () => {
  using scratch = new TestDirectory();
  const options = { data: scratch.path, bootId: "a boot", createId: () => "00000000" };
  const logs = { logs: new ProjectLogs(options), accessLogs: new AccessLogs(options) };
  const directory = join(scratch.path, "logs", project, "app/stdout");
  mkdirSync(directory, { recursive: true });
  const line = (text: string) => `2026-01-01T10:00:00.000Z ${text}\n`;
  const read = async (request: Partial<LogRequest>): Promise<HostLogItem[]> => {
    const items: HostLogItem[] = [];
    const whole: LogRequest = { lines: 10, section: "all", follow: false, ...request };
    for await (const batch of answerLogs(logs, project, whole, AbortSignal.timeout(60_000)))
      items.push(...batch);
    return items;
  };
  assert.deepEqual(await read({ cursor: "00000000-0" }).catch((error: Error) => error.message), "bad_cursor");

  writeFileSync(join(directory, "1-1.log"), line("the first"));
  const cursor = (await read({}))[0]?.cursor;
  assert.ok(cursor !== undefined);
  assert.deepEqual(await read({ cursor }), []);
  writeFileSync(join(directory, "2-.log"), line("noise ".repeat(10)).repeat(1_000_000) + line("the needle"));
  const found = await read({ cursor, q: "needle" });
  assert.deepEqual(
    found.map((item) => item.kind === "line" && item.line.text),
    ["the needle"],
  );
});
