import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { makeAssignment, projectIdOf } from "../../../test/support/ledger/ledger-samples.ts";
import { RecordingLogger } from "../../../test/support/recording-logger.ts";
import { until } from "../../../test/support/until.ts";
import { uidCount } from "../runtime/nspawn/nspawn-argv.ts";
import { SimulatedMachine, SimulatedRuntime } from "../runtime/simulated.ts";
import { noteFoundProjects } from "./found-projects.ts";
import { openTestContext } from "../project/test-context.ts";

async function makeDirectory(t: { after(free: () => Promise<void>): void }): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-found-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

test("a project that has only a disk gets a row, with the user ids that its files have, and nobody else gets those", async (t) => {
  const dataDirectory = await makeDirectory(t);
  const [found, other] = [projectIdOf(2), projectIdOf(3)];
  for (const name of [found, other, ".kept-1", "not an id"])
    await mkdir(join(dataDirectory, "projects", name, "disk", "home"), { recursive: true });
  await rm(join(dataDirectory, "projects", other, "disk"), { recursive: true });
  // The files are of the test's own user.
  const uidStart = (process.getuid?.() ?? 0) - uidCount;
  const logger = new RecordingLogger();
  await using context = openTestContext(dataDirectory, makeAssignment(1), { uidStart });
  const { ledger, runtime } = context;
  await noteFoundProjects({ ledger, runtime, dataDirectory, uidStart, logger });
  assert.deepEqual(ledger.projectIds(), [projectIdOf(1), found, other]);
  assert.deepEqual([ledger.generationOf(found), ledger.findRecord(found)], [0, undefined]);
  assert.deepEqual(
    [ledger.uidIndexOf(projectIdOf(1)), ledger.uidIndexOf(other), ledger.uidIndexOf(found)],
    [0, 2, 1],
  );
  assert.ok(logger.has(found));
  ledger.saveRecord(found, { a: 1 }, []);
  await noteFoundProjects({ ledger, runtime, dataDirectory, uidStart, logger });
  assert.deepEqual(ledger.findRecord(found), { a: 1 }, "what is known stays");
});

test("a container of which the ledger knows nothing gets a row", async (t) => {
  const dataDirectory = await makeDirectory(t);
  const machine = new SimulatedMachine();
  const runtime = new SimulatedRuntime({ dataDirectory, machine, clock: { now: () => new Date() } });
  await using context = openTestContext(dataDirectory, makeAssignment(1), { runtime });
  const instances = async () => [
    { projectId: projectIdOf(2), runNumber: 1, versionNumber: 1, startedAt: new Date(), exit: null },
  ];
  await noteFoundProjects({ ...context, runtime: { instances } });
  await until(() => context.ledger.projectIds().includes(projectIdOf(2)));
});
