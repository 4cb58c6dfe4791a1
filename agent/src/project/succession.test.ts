import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleAssignment, sampleSettings } from "../../../test/support/samples.ts";
import { newRecord, type Deployed, type Install, type ProjectRecord } from "./record.ts";
import { assignmentOfRun, goBack, takeNext, withinBounds } from "./succession.ts";

const installOf = (versionNumber: number, sizeMb?: number): Install => ({
  versionNumber,
  key: "key",
  ...(sizeMb === undefined ? {} : { sizeMb }),
});
const deployedOf = (versionNumber: number, sizeMb?: number): Deployed => ({
  installed: installOf(versionNumber, sizeMb),
  settings: sampleSettings({ command: `node ${versionNumber}.js` }),
  configTag: `tag ${versionNumber}`,
  imageLayers: [`/image-${versionNumber}`],
});
/** Returns a record whose version runs, has come up, and has this version next. */
const running = (versionNumber: number, next: number): ProjectRecord => {
  const { installed, settings, configTag, imageLayers } = deployedOf(versionNumber, 10);
  return {
    ...newRecord,
    installed,
    settings,
    hasProven: true,
    imageLayers,
    next: {
      versionNumber: next,
      phase: "installing",
      restartCount: 1,
      errorCode: null,
      errorDetails: [],
      deployed: deployedOf(next),
    },
    observed: { ...newRecord.observed, phase: "stopping", versionNumber, configTag, hasComeUp: true },
  };
};
const numbers = ({ installed, earlier, kept }: ProjectRecord) => [
  installed?.versionNumber,
  earlier?.installed.versionNumber,
  kept.map(({ versionNumber }) => versionNumber),
];

test("a version that takes over keeps the one before it, which comes back with its own settings", () => {
  const taken = takeNext({ ...running(3, 4), earlier: deployedOf(2, 10), kept: [installOf(1, 10)] }, "on");
  assert.deepEqual(numbers(taken), [4, 3, [2, 1]]);
  assert.deepEqual(
    [taken.observed.phase, taken.observed.versionNumber, taken.observed.hasComeUp, taken.hasProven],
    ["installing", 4, false, false],
  );
  assert.deepEqual(taken.earlier, deployedOf(3, 10));
  const back = goBack(taken, { errorDetails: [], nowMs: 5 });
  assert.deepEqual(numbers(back), [3, undefined, [2, 1]]);
  const wanted = sampleAssignment({ versionNumber: 4, restartCount: 9, variables: { NEW: "1" } });
  const { versionNumber, settings, configTag, variables } = assignmentOfRun(wanted, back);
  assert.deepEqual(
    [versionNumber, settings.command, configTag, variables],
    [3, "node 3.js", "tag 3", { NEW: "1" }],
  );
});

test("a version that did not come up is none to go back to", () => {
  const taken = takeNext({ ...running(3, 4), hasProven: false, earlier: deployedOf(2, 10) }, "on");
  assert.deepEqual(numbers(taken), [4, 2, []]);
});

test("a version that was given up while newer code was prepared leaves that on its way", () => {
  const record = { ...running(3, 4), hasProven: false, earlier: deployedOf(2, 10) };
  const back = goBack(record, { errorDetails: [], nowMs: 5 });
  assert.deepEqual(
    [back.observed.versionNumber, back.next?.versionNumber, back.next?.phase],
    [2, 4, "installing"],
  );
});

test("the same version, installed again, is not its own predecessor", () => {
  const taken = takeNext({ ...running(3, 3), earlier: deployedOf(2, 10), installed: null }, "on");
  assert.deepEqual([...numbers(taken), taken.hasProven], [3, 2, [], true]);
});

const bounds: [string, Partial<ProjectRecord>, unknown[]][] = [
  [
    "two earlier versions are kept",
    { earlier: deployedOf(3, 10), kept: [installOf(2, 10), installOf(1, 10)] },
    [4, 3, [2]],
  ],
  [
    "while a version is on trial the one before it counts among them",
    { hasProven: false, earlier: deployedOf(3, 10), kept: [installOf(2, 10), installOf(1, 10)] },
    [4, 3, [2]],
  ],
  [
    "without one before it, two others",
    { kept: [3, 2, 1].map((each) => installOf(each, 1)) },
    [4, undefined, [3, 2]],
  ],
  ["a quarter of the disk is theirs", { earlier: deployedOf(3, 20), kept: [installOf(2, 6)] }, [4, 3, []]],
  ["what takes more is not kept", { earlier: deployedOf(3, 26), kept: [] }, [4, undefined, []]],
  [
    "but the way back stays open",
    { hasProven: false, earlier: deployedOf(3, 90), kept: [installOf(2, 1)] },
    [4, 3, []],
  ],
  ["what was not measured is not kept", { earlier: deployedOf(3) }, [4, undefined, []]],
  [
    "files that what runs uses are not counted twice",
    { installed: { ...installOf(4), directory: 2 }, kept: [installOf(2, 10), installOf(1, 10)] },
    [4, undefined, [1]],
  ],
];
for (const [name, change, expected] of bounds) {
  test(`of earlier versions: ${name}`, () => {
    const record: ProjectRecord = { ...newRecord, hasProven: true, installed: installOf(4), ...change };
    assert.deepEqual(numbers(withinBounds(record, 100)), expected);
  });
}
