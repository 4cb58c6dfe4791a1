/**
 * Tests the link between programs of different versions: what the other side does not know is left out, or
 * ignored.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  asOfProtocol,
  canonicalAssignment,
  linkProtocol,
  type Assignment,
  type LinkProtocol,
} from "@tijolo/protocol";
import { OlderAgentError } from "../../central/src/app/hosts/host-link.ts";
import { sampleState } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { LinkBench } from "./link-bench.ts";
import { RawAgent } from "./raw-agent.ts";
import { makeTestId, sampleAssignment, sampleResources } from "./samples.ts";

/** Protocol of a central of the next version, with two fields that this agent does not know. */
const newest = linkProtocol.max + 1;
const next: LinkProtocol = {
  min: 1,
  max: newest,
  assignmentFields: { ...linkProtocol.assignmentFields, disks: newest, "settings.gpu": newest },
};

/** Adds fields of a later version at every depth. */
function withLaterFields<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withLaterFields) as Value;
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, withLaterFields<unknown>(field)]);
  return { ...Object.fromEntries(fields), later: { by: "a newer program" } } as Value;
}

test("an assignment is cut to what a version knows, at any depth", () => {
  const part = { projectId: "a", disks: 2, settings: { memoryMb: 1, gpu: true } };
  assert.deepEqual(asOfProtocol(part, newest, next), part);
  assert.deepEqual(asOfProtocol(part, 1, next), { projectId: "a", settings: { memoryMb: 1 } });
  assert.deepEqual(asOfProtocol({ settings: null }, 1, next), { settings: null });
});

test("a default of onFailure is written like none, so that programs from before the field hash the same", () => {
  const { variables: _variables, ...assignment } = sampleAssignment();
  const outline = { ...assignment, hasVariables: true };
  const of = (onFailure: "return" | "keep") => ({ ...outline, settings: { ...outline.settings, onFailure } });
  const before = asOfProtocol(of("return"), 1, linkProtocol);
  assert.ok(!("onFailure" in before.settings));
  assert.equal(canonicalAssignment(of("return")), canonicalAssignment(before));
  assert.notEqual(canonicalAssignment(of("keep")), canonicalAssignment(before));
  assert.equal(canonicalAssignment(asOfProtocol(of("keep"), 1, linkProtocol)), canonicalAssignment(before));
});

test("an assignment without a health path hashes as before there was one", () => {
  const { variables: _variables, ...assignment } = sampleAssignment();
  const outline = { ...assignment, hasVariables: true };
  const asked = { ...outline, health: { path: "/health", host: "shop.example.com" } };
  assert.notEqual(canonicalAssignment(asked), canonicalAssignment(outline));
  assert.equal(canonicalAssignment(asOfProtocol(asked, 3, linkProtocol)), canonicalAssignment(outline));
});

test("an agent from before `deploy` holds the same assignment as central, without it", () => {
  const { variables: _variables, ...assignment } = sampleAssignment();
  const outline = { ...assignment, hasVariables: true };
  const overlapping = { ...outline, deploy: "overlap" as const };
  assert.notEqual(canonicalAssignment(overlapping), canonicalAssignment(outline));
  assert.equal(canonicalAssignment(asOfProtocol(overlapping, 6, linkProtocol)), canonicalAssignment(outline));
  assert.deepEqual(asOfProtocol(overlapping, 7, linkProtocol), overlapping);
});

test("an agent one version below stays connected to a newer central, keeps its projects and takes each change", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const [first, second] = [sampleAssignment(), sampleAssignment()];
  bench.backend.want(host.hostId, [first]);
  bench.connect(host);
  await until(() => host.ledger.assignments().length === 1);

  await bench.stopCentral();
  bench.protocol = next;
  const newer = (assignment: Assignment): Assignment =>
    ({ ...assignment, disks: 2, settings: { ...assignment.settings, gpu: true } }) as Assignment;
  bench.backend.want(host.hostId, [newer(first), newer(second)]);
  await bench.startCentral();
  await until(() => host.ledger.assignments().length === 2);
  const byId = (list: Assignment[]) => list.toSorted((a, b) => (a.projectId < b.projectId ? -1 : 1));
  assert.deepEqual(byId(host.ledger.assignments()), byId([first, second]), "as this agent knows them");
  bench.backend.want(host.hostId, [newer({ ...first, generation: 2, run: "off" })]);
  await until(() => host.ledger.assignments().some(({ run }) => run === "off"));
  assert.ok(!host.logger.has("is not what central means"), "both sides hash what both know");
  assert.equal(bench.backend.connected.length, 2, "one connection to each central");
});

test("what a newer agent says beyond what this central knows is ignored, at any depth", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  using control = await RawAgent.open(bench.port);
  await control.hello(host, {
    protocol: withLaterFields({ min: 1, max: newest }),
    more: { resources: withLaterFields(sampleResources), later: 1 },
  });
  const state = { kind: "state", state: sampleState() } as const;
  const entry = { sequence: 1, projectId: makeTestId(), generation: 1, event: state } as const;
  await control.call("report", withLaterFields({ entries: [entry] }));
  const figures = { memoryUsedMb: 1, cpuPercent: 1, diskFreeMb: 1 };
  await control.call("usage", withLaterFields({ uptimeMs: 1, host: figures, projects: [] }));
  const wanted = { revision: 1, versionNumber: 1, sha256: "a".repeat(64) };
  const outline = { projectId: entry.projectId, generation: 1, wanted };
  await control.call("inventory", withLaterFields({ projects: [outline] }));
  const held = {
    projectId: entry.projectId,
    generation: 1,
    assignment: sampleAssignment({ variables: null }),
    observed: sampleState(),
    unwantedSince: null,
    isRunning: true,
    diskUsedMb: 1,
  };
  await control.call("tellHeld", withLaterFields({ projects: [held] }));
  const { backend } = bench;
  assert.deepEqual(backend.hellos[0]?.resources, sampleResources);
  assert.deepEqual(backend.effects[0]?.entry, entry);
  assert.deepEqual(backend.usage[0]?.usage, { uptimeMs: 1, host: figures, projects: [] });
  assert.deepEqual(backend.inventories[0]?.projects, [outline]);
  assert.deepEqual(backend.held[0]?.projects, [held]);

  using bulk = await RawAgent.open(bench.port);
  await bulk.hello(host, { socket: "bulk" });
  void bulk.call("requests", undefined, "subscription").catch(() => {});
  const request = { kind: "held-projects", projectId: null } as const;
  const answer = Array.fromAsync(bench.server.ask(host.hostId, request, AbortSignal.timeout(10_000)));
  const requestId = await until(() =>
    bulk.answers
      .map(({ result }) => (result?.data as { requestId?: string } | undefined)?.requestId)
      .find(Boolean),
  );
  const items = [{ kind: "held-project", project: held }];
  await bulk.call("answer", withLaterFields({ requestId, items, end: { kind: "done" } }));
  assert.deepEqual((await answer).flat(), items);
});

test("a host is not asked what its version does not have, and stays connected", async () => {
  await using bench = await LinkBench.create({}, { min: 0, max: 1, assignmentFields: {} });
  const host = await bench.joinHost();
  const older = { min: 0, max: 0 };
  using control = await RawAgent.open(bench.port);
  using bulk = await RawAgent.open(bench.port);
  await control.hello(host, { protocol: older });
  await bulk.hello(host, { socket: "bulk", protocol: older });
  void bulk.call("requests", undefined, "subscription").catch(() => {});
  const asked = Array.fromAsync(
    bench.server.ask(host.hostId, { kind: "describe-host" }, AbortSignal.timeout(10_000)),
  );
  await assert.rejects(asked, (error) => error instanceof OlderAgentError && error.status === 503);
  assert.ok(!JSON.stringify(bulk.answers).includes("describe-host"));
  assert.deepEqual([control.closeCode, bulk.closeCode], [undefined, undefined]);
});

test("central says what it speaks before the hello, so that an agent without a common version says which side to upgrade", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const wanted = sampleAssignment();
  bench.backend.want(host.hostId, [wanted]);
  const link = bench.connect(host, { bounds: { refusedMs: 50 } });
  await until(() => host.ledger.assignments().length === 1);
  for (const [protocol, advice] of [
    [{ min: newest, max: newest + 1, assignmentFields: {} }, "upgrade this agent"],
    [{ min: 0, max: 0, assignmentFields: {} }, "upgrade central"],
  ] as const) {
    await bench.stopCentral();
    bench.protocol = protocol;
    await bench.startCentral();
    const hellos = bench.backend.hellos.length;
    await until(() => host.logger.entries.some(({ fields }) => String(fields["reason"]).includes(advice)));
    assert.equal(bench.backend.hellos.length, hellos);
    assert.ok(!bench.logger.has("no common protocol"), "it did not even say hello");
    using raw = await RawAgent.open(bench.port);
    const { min, max } = protocol;
    const { protocol: told } = (await raw.call("challenge")) as { protocol: unknown };
    assert.deepEqual(told, { min, max });
  }
  assert.equal(link.state, "connecting");
  assert.deepEqual(host.ledger.assignments(), [wanted], "its projects stay");
  await bench.stopCentral();
  bench.protocol = next;
  await bench.startCentral();
  await until(() => link.state === "connected");
});
