import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findLowOomFloor } from "./oom-floor.ts";

test("an agent without CAP_SYS_RESOURCE is told so, with the line that mends it; one with all capabilities is not", async (context) => {
  const directory = await mkdtemp(join(tmpdir(), "oom-floor-"));
  context.after(() => rm(directory, { recursive: true }));
  const statusFile = join(directory, "status");
  const problemWith = async (capabilities: string) => {
    await writeFile(
      statusFile,
      `Name:\tnode\nCapPrm:\t000001ffffffffff\nCapEff:\t${capabilities}\nCapBnd:\t000001ffffffffff\n`,
    );
    return findLowOomFloor({ statusFile });
  };
  assert.equal(await problemWith("000001ffffffffff"), undefined);
  assert.match(
    (await problemWith("000001fffeffffff"))?.howToFix ?? "",
    /CapabilityBoundingSet=CAP_SYS_RESOURCE/,
  );
  assert.match((await problemWith("0000000000000000"))?.problem ?? "", /oom_score_adj/);
});
