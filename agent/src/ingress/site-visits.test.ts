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

test("closing waits for the run's visits under way, each of which ends once", async () => {
  const visits = new SiteVisits();
  const [first, second] = [visits.begin("site", 1), visits.begin("site", 1)];
  visits.begin("other", 1);
  visits.begin("site", 2);
  let isFinished = false;
  const closing = visits.close("site", 1, patient).then(() => (isFinished = true));
  visits.finish("site", first);
  visits.finish("site", first);
  await new Promise(setImmediate);
  assert.deepEqual([isFinished, visits.isClosed("site", 1)], [false, true]);
  visits.finish("site", second);
  await closing;
});

test("streams are waited for only where it is asked for", async () => {
  const visits = new SiteVisits();
  const stream = visits.begin("site", 1);
  let finished = 0;
  const withoutStreams = visits.close("site", 1, patient).then(() => finished++);
  visits.becomesStream("site", stream);
  await withoutStreams;
  const withStreams = visits.close("site", 1, { ...patient, hasStreams: true }).then(() => finished++);
  await new Promise(setImmediate);
  assert.equal(finished, 1);
  visits.finish("site", stream);
  await withStreams;
});

test("closing waits for a while only", async () => {
  const visits = new SiteVisits();
  const visit = visits.begin("site", 1);
  await visits.close("site", 1, { ...patient, finishMs: 20 });
  assert.equal(visits.isClosed("site", 1), true);
  visits.finish("site", visit); // cut by the stop
  assert.equal(visits.isClosed("site", 2), false);
});

test("closing waits no longer once its signal is aborted", async () => {
  const visits = new SiteVisits();
  visits.begin("site", 1);
  const abort = new AbortController();
  const closing = visits.close("site", 1, { ...patient, signal: abort.signal });
  abort.abort();
  await closing;
  await visits.close("site", 1, { ...patient, signal: abort.signal });
  assert.equal(visits.isClosed("site", 1), true);
});
