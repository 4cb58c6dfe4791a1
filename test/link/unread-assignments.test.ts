/**
 * Tests that what one agent cannot read of the desired state, as central is newer or older than it, stops
 * nothing else.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Assignment, ImageOverride } from "@tijolo/protocol";
import { until } from "../support/until.ts";
import { LinkBench } from "./link-bench.ts";
import { sampleAssignment } from "./samples.ts";

/** Makes an assignment as a central would send it that knows more languages. */
function unread(assignment: Assignment): Assignment {
  const settings = { ...assignment.settings, language: "cobol" as "node", command: "cobol secret.cob" };
  return { ...assignment, restartCount: assignment.restartCount + 1, settings };
}

test("an assignment that cannot be read stops no other one, and is told of without what it holds", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const [first, strange, last] = [sampleAssignment(), sampleAssignment(), sampleAssignment()];
  // Its files were found, as after the loss of a ledger, and nobody gave it up: nothing of it is removed.
  host.ledger.noteFound([{ projectId: strange.projectId, uidIndex: null }]);
  bench.backend.want(host.hostId, [first, unread(strange), last]);
  const link = bench.connect(host);
  await until(() => host.ledger.assignments().length === 2);
  const later = sampleAssignment();
  bench.backend.want(host.hostId, [later, { ...first, run: "off" }], [last.projectId]);
  await until(() => host.ledger.assignments().some(({ projectId }) => projectId === later.projectId));
  assert.deepEqual(
    host.ledger.assignments().map(({ projectId, run }) => ({ projectId, run })),
    [
      { projectId: first.projectId, run: "off" },
      { projectId: later.projectId, run: "on" },
    ].toSorted((one, other) => (one.projectId < other.projectId ? -1 : 1)),
  );
  assert.equal(link.state, "connected");
  assert.equal(bench.backend.connected.length, 1, "over one connection");
  const told = host.logger.entries.filter(({ fields }) => fields["projectId"] === strange.projectId);
  assert.ok(
    told.length > 0 &&
      told.every(({ level, fields }) => level === "error" && /language/.test(String(fields["reason"]))),
  );
  assert.ok(!host.logger.has("secret.cob"));

  bench.backend.want(host.hostId, [strange]);
  await until(() => host.ledger.assignments().length === 3);
});

test("a project whose new assignment cannot be read stays on the host as it was, also when the full set comes", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const [strange, other] = [sampleAssignment(), sampleAssignment()];
  bench.backend.want(host.hostId, [strange, other]);
  bench.connect(host);
  await until(() => host.ledger.assignments().length === 2);
  bench.backend.want(host.hostId, [unread(strange), { ...other, run: "off" }]);
  await until(() => host.logger.has("older than this host's"));
  await bench.stopCentral();
  bench.backend.epoch++;
  bench.backend.want(host.hostId, [{ ...other, run: "off", restartCount: 9 }]);
  await bench.startCentral();
  await until(() => host.ledger.assignments().some(({ restartCount }) => restartCount === 9));
  assert.deepEqual(
    host.ledger.assignments().find(({ projectId }) => projectId === strange.projectId),
    strange,
  );
});

test("a set is not followed in which an assignment does not say whose it is: its project would be taken for an unwanted one", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const held = sampleAssignment();
  bench.backend.want(host.hostId, [held]);
  bench.connect(host);
  await until(() => host.ledger.assignments().length === 1);
  bench.backend.want(host.hostId, [{ ...sampleAssignment(), projectId: "nobody's" }], [held.projectId]);
  await until(() => host.logger.has("a desired state that is none"));
  assert.deepEqual(host.ledger.assignments(), [held]);
});

test("nor is one that would leave a project that is here without any assignment", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const [strange, other] = [sampleAssignment(), sampleAssignment()];
  bench.backend.want(host.hostId, [strange, other]);
  bench.connect(host);
  await until(() => host.ledger.assignments().length === 2);
  bench.backend.want(host.hostId, [], [strange.projectId]);
  await until(() => host.ledger.assignments().length === 1);
  assert.ok(host.ledger.projectIds().includes(strange.projectId), "its files have not been removed");
  bench.backend.want(host.hostId, [unread(strange), { ...other, run: "off" }]);
  await until(() => host.logger.has("files of its project would go"));
  assert.deepEqual(host.ledger.assignments(), [other]);
  host.ledger.removeProject(strange.projectId);
  await until(() => host.ledger.assignments()[0]?.run === "off");
});

test("overrides that cannot be read leave those that were known, and the assignments beside them are followed", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const known: ImageOverride = { language: "ruby", version: "4.0", reference: "registry.example/ruby:4.0" };
  bench.backend.imageOverrides = [known];
  bench.backend.want(host.hostId, [sampleAssignment()]);
  bench.connect(host);
  await until(() => host.ledger.imageOverrides().length === 1);
  bench.backend.imageOverrides = [{ ...known, language: "cobol" as "ruby" }];
  bench.backend.want(host.hostId, [sampleAssignment()]);
  await until(() => host.ledger.assignments().length === 2);
  assert.deepEqual(host.ledger.imageOverrides(), [known]);
  assert.ok(host.logger.has("image overrides"));
  assert.equal(bench.backend.connected.length, 1);
});
