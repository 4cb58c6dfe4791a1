import assert from "node:assert/strict";
import { test } from "node:test";
import { SiteVisits } from "./site-visits.ts";

const patient = { finishMs: 60_000 };

test("a run that is closed takes no new visits, and the next run does", async () => {
  const visits = new SiteVisits();
  assert.equal(visits.isClosed("site", 3), false);
  await visits.close("site", 3, patient);
  assert.deepEqual([visits.isClosed("site", 3), visits.isClosed("other", 3)], [true, false]);
  assert.deepEqual([visits.isClosed("site", 4), visits.isClosed("site", 4)], [false, false]);
});

test("a run that goes on after all is opened again", async () => {
  const visits = new SiteVisits();
  await visits.close("site", 3, patient);
  visits.open("site");
  assert.equal(visits.isClosed("site", 3), false);
  visits.open("nobody");
});

test("closing waits for the visits under way, each of which ends once", async () => {
  const visits = new SiteVisits();
  const [first, second] = [visits.begin("site"), visits.begin("site")];
  const ofOther = visits.begin("other");
  let isFinished = false;
  const closing = visits.close("site", 1, patient).then(() => (isFinished = true));
  first();
  first();
  await new Promise(setImmediate);
  assert.deepEqual([isFinished, visits.isClosed("site", 1)], [false, true]);
  second();
  await closing;
  ofOther();
});

test("closing waits for a while only", async () => {
  const visits = new SiteVisits();
  const end = visits.begin("site");
  await visits.close("site", 1, { finishMs: 20 });
  assert.equal(visits.isClosed("site", 1), true);
  end(); // cut by the stop
  assert.equal(visits.isClosed("site", 2), false);
});

test("closing waits no longer once its signal is aborted", async () => {
  const visits = new SiteVisits();
  visits.begin("site");
  const abort = new AbortController();
  const closing = visits.close("site", 1, { ...patient, signal: abort.signal });
  abort.abort();
  await closing;
  await visits.close("site", 1, { ...patient, signal: abort.signal });
  assert.equal(visits.isClosed("site", 1), true);
});
