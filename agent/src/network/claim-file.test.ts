import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { moveClaim, readClaims, removeClaim, writeClaim, type Claim } from "./claim-file.ts";

const claim: Claim = {
  projectId: "01JB0000000000000000000000",
  isLeaving: false,
  accountId: "A",
  accountMark: 1,
  namespace: { interface: "tjabcde00000001", name: "tijolo-x.00000001", address: "10.0.0.1" },
  earlierTraffic: { receivedBytes: 1, sentBytes: 2 },
  latestTraffic: { receivedBytes: 3, sentBytes: 4 },
};

test("claims are found again, and torn or foreign files are named instead of thrown", async () => {
  const parent = await mkdtemp(join(tmpdir(), "tijolo-claims-"));
  const directory = join(parent, "network");
  try {
    assert.deepEqual(await readClaims(directory), { claims: [], unreadable: [] });
    await writeClaim(directory, claim);
    const leaving = { ...claim, isLeaving: true };
    await writeClaim(directory, leaving);
    await writeFile(join(directory, "torn.json"), '{"projectId":"torn","namesp');
    await writeFile(join(directory, "other.json"), JSON.stringify(claim));
    const { claims, unreadable } = await readClaims(directory);
    assert.deepEqual(claims, [claim, leaving]);
    assert.deepEqual(unreadable.sort(), ["other.json", "torn.json"]);
    await removeClaim(directory, claim);
    assert.deepEqual(await moveClaim(directory, leaving), claim);
    assert.deepEqual((await readClaims(directory)).claims, [claim]);
    await removeClaim(directory, claim);
    assert.deepEqual((await readClaims(directory)).claims, []);
  } finally {
    await rm(parent, { recursive: true });
  }
});

test("a project id that leads out of the directory is refused", async () => {
  await assert.rejects(
    writeClaim("/nonexistent", { ...claim, projectId: "../../etc/x" }),
    /is no project id/,
  );
});
