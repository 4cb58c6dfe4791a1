import assert from "node:assert/strict";
import { test } from "node:test";
import type { DesiredUpdate } from "@tijolo/protocol";
import { Latch } from "@tijolo/protocol/kit";
import { LedgerBench } from "../../../test/support/ledger-bench.ts";
import { fullSet, makeAssignment } from "../../../test/support/ledger-samples.ts";
import { RecordingLogger } from "../../../test/support/recording-logger.ts";
import { followDesired, type ControlSession } from "./control-session.ts";
import { defaultLinkBounds } from "./link-options.ts";

test("of a central that gives no reasons, what it takes out of a set it sent was deleted, and what a full set leaves out was not", async () => {
  await using bench = await LedgerBench.create();
  using ledger = bench.open();
  const over = new AbortController();
  let send = (_update: DesiredUpdate) => {};
  const subscribe = (_from: object, { onData }: { onData: (update: DesiredUpdate) => void }) => {
    send = onData;
    return { unsubscribe: () => {} };
  };
  const connection = {
    client: { desired: { subscribe } },
    ended: over.signal,
    end: (reason: string) => assert.fail(reason),
  };
  const options = { ledger, logger: new RecordingLogger(), handlers: { onDesired: () => {} } };
  const session: unknown = {
    connection,
    options,
    bounds: defaultLinkBounds,
    outboxWake: new Latch(),
    protocol: 4,
  };
  followDesired(session as ControlSession);
  const [first, second, third] = [makeAssignment(1), makeAssignment(2), makeAssignment(3)];
  const { departures: _none, ...whole } = fullSet(1, [first, second, third]);
  send(whole);
  const { setHash } = fullSet(2, [second, third]);
  send({ revision: 2, part: 0, isFull: false, upserts: [], deletes: [first.projectId], setHash });
  assert.deepEqual([...ledger.departures()], [[first.projectId, { reason: "deleted", atMs: 0 }]]);
  const { departures: _nothing, ...setBack } = fullSet(1, [third]);
  send(setBack);
  assert.deepEqual(
    [[...ledger.departures().keys()], [...ledger.unwanted().keys()]],
    [[first.projectId], [second.projectId]],
  );
  assert.deepEqual(ledger.assignments(), [second, third]);
  over.abort();
});
