import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import SQLite from "better-sqlite3";
import { openLedger } from "./ledger.ts";
import { projectIdOf } from "../../../test/support/ledger/ledger-samples.ts";

test(
  "what a ledger said was written survives kill -9 at any moment, record and events together",
  { timeout: 120_000 },
  async (t) => {
    const directory = await mkdtemp(join(tmpdir(), "tijolo-ledger-"));
    const path = join(directory, "ledger.db");
    let lastSaid = 0;
    for (let round = 0; round < 12; round++) {
      const said = await writeAndKill(path, lastSaid + 1);
      const file = new SQLite(path);
      assert.equal(file.pragma("integrity_check", { simple: true }), "ok");
      file.close();

      const ledger = openLedger({ path, clock: { now: () => 0 }, logger: console });
      const record = ledger.findRecord(projectIdOf(1)) as { step: number } | undefined;
      const step = record?.step ?? 0;
      assert.ok(step === said || step === said + 1, `said ${said}, found ${step}`);
      const revision = ledger.held().revision;
      assert.ok(revision === step || revision === step + 1);
      const entries = ledger.pending(1_000_000);
      assert.equal(entries.length, 2 * step);
      assert.ok(
        entries.every(({ sequence }, index) => sequence === index + 1),
        "no number is missing or given twice",
      );
      ledger.close();
      lastSaid = step;
    }
    t.diagnostic(`${lastSaid} steps over 12 kills`);
    await rm(directory, { recursive: true });
  },
);

/** Answers the last step that the program said was written before it was killed. */
async function writeAndKill(path: string, firstStep: number): Promise<number> {
  const program = join(import.meta.dirname, "ledger-kill-program.ts");
  const child = spawn(process.execPath, [program, path, String(firstStep)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += String(chunk)));
  await once(child.stdout, "data");
  await delay(Math.random() * 150);
  child.kill("SIGKILL");
  await once(child, "close");
  return Number(text.trim().split("\n").at(-1));
}
