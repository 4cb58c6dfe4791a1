import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { defaultServiceLimits, getPlan, plans } from "@tijolo/protocol";
import { readPlansFile, type PlanTable } from "./read-plans-file.ts";

let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "tijolo-plans-"));
});
after(() => rm(directory, { recursive: true }));

async function read(content: unknown): Promise<PlanTable> {
  const path = join(directory, "plans.json");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return readPlansFile(path);
}

test("without a file the defaults are in effect", async () => {
  assert.deepEqual(await readPlansFile(null), { plans, limits: defaultServiceLimits });
  assert.deepEqual(await read({}), { plans, limits: defaultServiceLimits });
});

test("a file changes single values of single plans and limits, and leaves the rest", async () => {
  const table = await read({
    plans: { Free: { memoryMb: 1024, hasAutoRestart: true }, Block: { sites: 0 } },
    limits: { keysPerAccount: 3 },
  });
  assert.deepEqual(table.plans.get("Free"), { ...getPlan("Free"), memoryMb: 1024, hasAutoRestart: true });
  assert.deepEqual(table.plans.get("Block"), { ...getPlan("Block"), sites: 0 });
  assert.deepEqual(table.plans.get("Tower"), getPlan("Tower"));
  assert.deepEqual([...table.plans.keys()], [...plans.keys()]);
  assert.deepEqual(table.limits, { ...defaultServiceLimits, keysPerAccount: 3 });
});

const wrong: [what: string, content: unknown, message: RegExp][] = [
  ["a field that no plan has", { plans: { Free: { memory: 1024 } } }, /plans\.Free: memory is not known/],
  ["a plan that does not exist", { plans: { Gold: {} } }, /plans: Gold is not known/],
  ["a limit that does not exist", { limits: { keys: 3 } }, /limits: keys is not known/],
  ["a section that does not exist", { plan: {} }, /plan is not known/],
  ["a value of the wrong type", { plans: { Stack: { memoryMb: "2 GB" } } }, /plans\.Stack\.memoryMb: /],
  [
    "a value below the least",
    { plans: { Stack: { requestsPerMinute: 0 } } },
    /plans\.Stack\.requestsPerMinute: /,
  ],
  ["a fraction", { limits: { uploadEveryMs: 1.5 } }, /limits\.uploadEveryMs: /],
  ["a plan's name", { plans: { Free: { name: "Grátis" } } }, /plans\.Free: name is not known/],
  ["two mistakes at once", { plans: { Free: { zipMb: -1 } }, limits: { x: 1 } }, /zipMb.*x is not known/],
  ["no JSON", "{ plans", /is not JSON/],
  ["something else than an object", [], /expected object/],
];
for (const [what, content, message] of wrong) {
  test(`${what} is refused with the file and the place`, async () => {
    await assert.rejects(read(content), (error: Error) => {
      assert.match(error.message, message);
      assert.match(error.message, /TIJOLO_PLANS_FILE .*plans\.json/);
      return true;
    });
  });
}

test("a file that is not there is refused", async () => {
  await assert.rejects(
    readPlansFile(join(directory, "nowhere.json")),
    /TIJOLO_PLANS_FILE .*nowhere\.json cannot be read/,
  );
});
