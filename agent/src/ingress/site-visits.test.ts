import assert from "node:assert/strict";
import { test } from "node:test";
import { SiteVisits } from "./site-visits.ts";

test("a run that is closed takes no new visits, and the next run does", async () => {
  const visits = new SiteVisits();
  assert.equal(visits.isClosed("site", 3), false);
  await visits.close("site", 3);
  assert.deepEqual([visits.isClosed("site", 3), visits.isClosed("other", 3)], [true, false]);
  assert.deepEqual([visits.isClosed("site", 4), visits.isClosed("site", 4)], [false, false]);
});

test("a run that goes on after all is opened again", async () => {
  const visits = new SiteVisits();
  await visits.close("site", 3);
  visits.open("site");
  assert.equal(visits.isClosed("site", 3), false);
  visits.open("nobody");
});

test("closing waits for the visits under way, each of which ends once", async () => {
  const visits = new SiteVisits({ finishMs: 60_000 });
  const [first, second] = [visits.begin("site"), visits.begin("site")];
  const ofOther = visits.begin("other");
  let isFinished = false;
  const closing = visits.close("site", 1).then(() => (isFinished = true));
  first();
  first();
  await new Promise(setImmediate);
  assert.deepEqual([isFinished, visits.isClosed("site", 1)], [false, true]);
  second();
  await closing;
  ofOther();
});

test("closing waits for a while only", async () => {
  const visits = new SiteVisits({ finishMs: 20 });
  const end = visits.begin("site");
  await visits.close("site", 1);
  assert.equal(visits.isClosed("site", 1), true);
  end(); // cut by the stop
  assert.equal(visits.isClosed("site", 2), false);
});
