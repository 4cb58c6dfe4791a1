import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { linkMaxRunning, makeId, usageReport } from "@tijolo/protocol";
import { readUsage } from "./usage-reporter.ts";

const idOf = (number: number) => makeId(number, new Uint8Array(10));

interface Counters {
  memoryBytes: number;
  cpuUsec: number;
  networkBytes: number;
  diskMb: number | null;
}

const none: Counters = { memoryBytes: 0, cpuUsec: 0, networkBytes: 0, diskMb: null };

/** Makes the usage of projects with these counters. */
function usageOf(counters: readonly Counters[]) {
  const byProject = new Map(counters.map((each, index) => [idOf(index), each]));
  const mapped = <T>(of: (counters: Counters) => T) =>
    new Map([...byProject].map(([projectId, each]) => [projectId, of(each)]));
  return readUsage({
    runtime: {
      usage: async () =>
        mapped(({ memoryBytes, cpuUsec }) => ({ runNumber: 1, memoryBytes, cpuUsec, oomKills: 0 })),
    },
    network: {
      usage: async () =>
        mapped(({ networkBytes }) => ({ receivedBytes: networkBytes, sentBytes: networkBytes })),
    },
    disks: { find: (projectId) => byProject.get(projectId)?.diskMb ?? null, keepUp: () => {} },
    processors: { read: () => 12.34 },
    dataDirectory: tmpdir(),
  });
}

test("usage is told as it is counted", async () => {
  const { projects } = await usageOf([
    { memoryBytes: 3 * 2 ** 20, cpuUsec: 7.4, networkBytes: 5, diskMb: 2 },
  ]);
  assert.deepEqual(projects, [
    {
      projectId: idOf(0),
      runNumber: 1,
      memoryMb: 3,
      cpuUsec: 7,
      networkInBytes: 5,
      networkOutBytes: 5,
      diskMb: 2,
    },
  ]);
});

test("central takes the usage of a host whatever the counters of one project say", async () => {
  const plain = { memoryBytes: 2 ** 20, cpuUsec: 5, networkBytes: 5, diskMb: 1 };
  const strange = [2 ** 53, 2 ** 63, 2 ** 64, -1, NaN, Infinity, -Infinity];
  const usage = await usageOf([
    plain,
    ...strange.flatMap((value) => [
      { ...plain, memoryBytes: value },
      { ...plain, cpuUsec: value },
      { ...plain, networkBytes: value },
      { ...plain, diskMb: value },
    ]),
  ]);
  const taken = usageReport.safeParse(JSON.parse(JSON.stringify(usage)));
  assert.deepEqual(taken.error?.issues, undefined);
  assert.deepEqual(taken.data?.projects[0], {
    ...usage.projects[0],
    memoryMb: 1,
    cpuUsec: 5,
    networkInBytes: 5,
    diskMb: 1,
  });
});

test("traffic that is more than a number holds exactly goes on being counted", async () => {
  const networkInBytes = async (networkBytes: number) =>
    (await usageOf([{ ...none, networkBytes }])).projects[0]?.networkInBytes;
  assert.equal(await networkInBytes(2 ** 53 + 4_000), 4_000);
  assert.equal(await networkInBytes(2 ** 53 + 9_000), 9_000);
});

test("of more projects than a report may hold, it tells of so many as it may", async () => {
  const usage = await usageOf(Array.from({ length: linkMaxRunning + 1 }, () => none));
  assert.equal(usage.projects.length, linkMaxRunning);
  assert.equal(usageReport.safeParse(usage).error, undefined);
});
