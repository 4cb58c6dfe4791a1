/** A context of workers for tests: all its parts are real except the machine, which is simulated. */

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Assignment } from "@tijolo/protocol";
import { Slots } from "@tijolo/protocol/kit";
import { pino } from "pino";
import { rawZip } from "../../../test/support/archives/raw-zip.ts";
import { PlainDisks } from "../disk/plain-disks.ts";
import { noInstallCache } from "../install-cache/install-cache.ts";
import { hashAssignment, hashSet } from "../ledger/assignment-hash.ts";
import { openLedger, type Ledger } from "../ledger/ledger.ts";
import { SimulatedMachine, SimulatedRuntime } from "../runtime/simulated.ts";
import { ProjectLogs } from "../logs/project-logs.ts";
import { ReplacedFiles } from "../versions/merge/replaced-files.ts";
import type { WorkerContext } from "./worker-context.ts";

/** Opens a context whose ledger wants the assignment; every archive holds one `index.js`. */
export function openTestContext(
  dataDirectory: string,
  assignment: Assignment,
  changes: Partial<WorkerContext> = {},
): WorkerContext & AsyncDisposable {
  const clock = { now: () => Date.now() };
  const logger = pino({ level: process.env.TEST_LOG_LEVEL ?? "silent" });
  const ledger = openLedger({ path: join(dataDirectory, "ledger.sqlite"), clock, logger });
  takeAssignment(ledger, assignment);
  const disks = new PlainDisks(dataDirectory);
  const place = { address: "127.0.0.1", namespacePath: "", resolvConf: "" };
  return {
    dataDirectory,
    clock,
    random: Math.random,
    logger,
    ledger,
    disks,
    runtime: new SimulatedRuntime({
      dataDirectory,
      machine: new SimulatedMachine(),
      clock: { now: () => new Date() },
    }),
    images: { ensure: async () => ({ layers: [], environment: {} }) },
    installCache: noInstallCache,
    network: {
      claim: async () => place,
      release: async () => {},
      setAside: async () => {},
      takeBack: async () => {},
      releaseLeaving: async () => {},
      findLeaving: () => undefined,
      setRunning: () => {},
      setSite: () => {},
      find: () => place,
    },
    freeMemoryMb: () => 4096,
    logs: new ProjectLogs({ data: dataDirectory, bootId: "a boot", createId: () => "log1" }),
    replacedFiles: new ReplacedFiles({ dataDirectory, clock, disks, logger }),
    portWatch: { watch: () => {} },
    explainer: { explain: async () => undefined },
    trust: { bindReadOnly: [], environment: {} },
    uidStart: 100_000,
    cpuCount: 1,
    installSlots: new Slots(1),
    compressSlots: new Slots(1),
    installTimeoutMs: 60_000,
    fetchArchive: (_archive, target) => writeFile(target, rawZip([{ name: "index.js", content: "1" }])),
    wakeOutbox: () => {},
    noteRemoved: () => {},
    visits: { close: async () => {}, open: () => {} },
    drainSite: async () => {},
    ...changes,
    async [Symbol.asyncDispose]() {
      ledger.close();
      await disks[Symbol.asyncDispose]();
    },
  };
}

/** Makes the assignment the whole desired state. */
function takeAssignment(ledger: Ledger, assignment: Assignment): void {
  const setHash = hashSet(new Map([[assignment.projectId, hashAssignment(assignment)]]));
  const taken = ledger.applyDesired({
    revision: 1,
    part: 0,
    isFull: true,
    upserts: [assignment],
    deletes: [],
    setHash,
  });
  assert.deepEqual(taken, { isComplete: true, isConsistent: true });
}
