import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { exec } from "../../host/exec.ts";
import { Supervisors } from "./supervisors.ts";

test("when the process that forks supervisors has ended, starts at the same moment make one more, and its end is the agent's to say", async () => {
  const supervisors = await Supervisors.create();
  assert.equal(await countOwn(), 1);
  await supervisors.close();
  await untilCount(0);
  await Promise.all(Array.from({ length: 8 }, () => supervisors.start("/nonexistent")));
  assert.equal(await countOwn(), 1);
  await supervisors.close();
  await untilCount(0);
});

/** Counts the children of this process that run supervise.pl. */
async function countOwn(): Promise<number> {
  const { stdout } = await exec(["ps", "-o", "stat=,args=", "--ppid", String(process.pid)], {
    okCodes: [0, 1],
  });
  return stdout.split("\n").filter((line) => line.includes("supervise.pl") && !line.startsWith("Z")).length;
}

async function untilCount(count: number): Promise<void> {
  for (const endAt = Date.now() + 30_000; (await countOwn()) !== count;) {
    assert.ok(Date.now() < endAt, `not ${count} in time`);
    await delay(20);
  }
}
