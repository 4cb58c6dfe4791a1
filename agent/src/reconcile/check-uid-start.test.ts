import assert from "node:assert/strict";
import { chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { makeAssignment, projectIdOf } from "../../../test/support/ledger/ledger-samples.ts";
import { RecordingLogger } from "../../../test/support/recording-logger.ts";
import { uidCount } from "../runtime/nspawn/nspawn-argv.ts";
import { checkUidStart } from "./check-uid-start.ts";
import { openTestContext } from "../project/test-context.ts";

test("a first id below 100000 holds only where projects have files by it, and with a warning", async (t) => {
  const dataDirectory = await mkdtemp(join(tmpdir(), "tijolo-uid-"));
  t.after(() => rm(dataDirectory, { recursive: true, force: true }));
  const logger = new RecordingLogger();
  await using context = openTestContext(dataDirectory, makeAssignment(1));
  const { ledger } = context;
  const check = (uidStart: number) => checkUidStart({ ledger, dataDirectory, uidStart, logger });
  const home = join(dataDirectory, "projects", projectIdOf(1), "disk", "home");
  await mkdir(home, { recursive: true });
  ledger.uidIndexOf(projectIdOf(1));

  await check(100_000);
  await assert.rejects(check(65_536), /TIJOLO_UID_START must be at least 100000, not 65536/);
  // By another start that lies a multiple of a project's ids away.
  await chown(home, 65_536 + 7 * uidCount, 65_536);
  await assert.rejects(check(65_536), /TIJOLO_UID_START must be at least 100000, not 65536/);
  assert.deepEqual(logger.entries, []);

  await chown(home, 65_536, 65_536);
  await check(65_536);
  assert.deepEqual(
    logger.entries.map(({ level }) => level),
    ["warn"],
  );
  await assert.rejects(check(20_000), /TIJOLO_UID_START must be at least 100000, not 20000/);
});
