/**
 * Tests that a host reports what it holds before it asks for the desired state; older agents, which take what
 * is left out for gone, are spared what they misunderstand.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { maxHeldProjects, type HeldOutline, type HeldProject } from "@tijolo/protocol";
import { sampleState } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { LinkBench } from "./link-bench.ts";
import { sampleAssignment } from "./samples.ts";

const project = {
  revision: 3,
  name: "loja",
  description: "",
  subdomain: null,
  createdAt: "2026-01-01T00:00:00.000Z",
};

test("what central asks for is told whole, before the host asks what is wanted", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const assignments = Array.from({ length: 40 }, () =>
    sampleAssignment({ project, proof: "p", variables: { A: "x".repeat(60_000) } }),
  );
  const outlines = assignments.map(({ projectId, versionNumber, archive }): HeldOutline => {
    return { projectId, generation: 1, wanted: { revision: 3, versionNumber, sha256: archive.sha256 } };
  });
  const whole = assignments.map((assignment): HeldProject => {
    const { projectId } = assignment;
    return {
      projectId,
      generation: 1,
      assignment,
      observed: sampleState(),
      unwantedSince: null,
      isRunning: true,
      diskUsedMb: 1,
    };
  });
  bench.backend.tell = assignments.map(({ projectId }) => projectId);
  let wasToldFirst = false;
  const { backend } = bench;
  const wantedOf = backend.wantedOf.bind(backend);
  backend.wantedOf = (hostId, since) => {
    wasToldFirst = backend.held.flatMap(({ projects }) => projects).length === assignments.length;
    return wantedOf(hostId, since);
  };
  bench.connect(host, {
    handlers: {
      inventory: async () => outlines,
      async *held(projectIds) {
        yield whole.filter(({ projectId }) => projectIds?.includes(projectId));
      },
    },
  });
  await until(() => host.ledger.hasTakenSet());
  assert.ok(wasToldFirst);
  assert.deepEqual(backend.inventories, [{ hostId: host.hostId, projects: outlines }]);
  assert.deepEqual(
    backend.held.flatMap(({ projects }) => projects),
    whole,
  );
  assert.ok(backend.held.length > 1, "in frames of bounded size");
  assert.equal(backend.connected.length, 1);
});

test("a project that central cannot read is left out and logged; it neither ends the session nor hides the others", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const assignments = Array.from({ length: 5 }, () => sampleAssignment({ project }));
  const outlines = assignments.map(({ projectId, versionNumber, archive }, index): HeldOutline => {
    return {
      projectId,
      generation: 1,
      wanted: { revision: index === 1 ? -1 : 3, versionNumber, sha256: archive.sha256 },
    };
  });
  const whole = assignments.map((assignment, index): HeldProject => {
    const { projectId } = assignment;
    const diskUsedMb = index === 3 ? -1 : 1;
    return {
      projectId,
      generation: 1,
      assignment,
      observed: sampleState(),
      unwantedSince: null,
      isRunning: true,
      diskUsedMb,
    };
  });
  bench.backend.tell = assignments.map(({ projectId }) => projectId);
  bench.connect(host, {
    handlers: {
      inventory: async () => outlines,
      async *held(projectIds) {
        yield whole.filter(({ projectId }) => projectIds === null || projectIds.includes(projectId));
      },
    },
  });
  await until(() => host.ledger.hasTakenSet() || bench.backend.connected.length > 2);
  assert.equal(bench.backend.connected.length, 1, "the session goes on");
  const [told] = bench.backend.inventories;
  assert.deepEqual(
    told?.projects,
    outlines.map((outline, index) => (index === 1 ? { ...outline, wanted: null } : outline)),
    "each is named, as central takes one that is not for gone",
  );
  const readable = whole.filter((_, index) => index !== 3);
  assert.deepEqual(
    bench.backend.held.flatMap(({ projects }) => projects),
    readable,
  );
  const errors = host.logger.entries.filter(({ level }) => level === "error").map(({ fields }) => fields);
  assert.deepEqual(errors[0]?.["unread"], [assignments[1]?.projectId]);
  assert.equal(errors[1]?.["projectId"], assignments[3]?.projectId);
  assert.equal(errors[2]?.["leftOut"], 1);
  const listed = await Array.fromAsync(
    bench.server.ask(host.hostId, { kind: "held-projects", projectId: null }, AbortSignal.timeout(10_000)),
  );
  assert.deepEqual(
    listed.flat().map(({ project }) => project),
    readable,
    "nor from an operator",
  );
});

test("when central understands nothing of what a host holds, the session goes on", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const wanted = sampleAssignment();
  bench.backend.want(host.hostId, [wanted]);
  const outlines = Array.from({ length: maxHeldProjects + 1 }, (): HeldOutline => {
    return { projectId: wanted.projectId, generation: 1, wanted: null };
  });
  bench.connect(host, { handlers: { inventory: async () => outlines } });
  await until(() => host.ledger.assignments().length === 1 || bench.backend.connected.length > 2);
  assert.equal(bench.backend.connected.length, 1);
  assert.ok(host.logger.has("central was not told what this host holds"));
});

test("an operator's question is answered over the bulk socket", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const held: HeldProject = {
    projectId: sampleAssignment().projectId,
    generation: 0,
    assignment: null,
    observed: null,
    unwantedSince: null,
    isRunning: false,
    diskUsedMb: null,
  };
  const link = bench.connect(host, {
    handlers: {
      async *held(projectIds) {
        if (projectIds === null) yield [held];
      },
    },
  });
  const ask = () =>
    Array.fromAsync(
      bench.server.ask(host.hostId, { kind: "held-projects", projectId: null }, AbortSignal.timeout(10_000)),
    );
  await until(() => link.state === "connected");
  assert.deepEqual(await ask(), [[{ kind: "held-project", project: held }]]);
});

test("a host whose removal of a project overtook its return tells what it holds once more, and follows then", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const { backend } = bench;
  const assignment = sampleAssignment({ project, proof: "p" });
  const other = sampleAssignment({ project, proof: "p" });
  backend.want(host.hostId, [assignment]);
  const isHeld = () => host.ledger.assignments().some(({ projectId }) => projectId === assignment.projectId);
  const link = bench.connect(host);
  await until(isHeld);
  backend.want(host.hostId, [], [assignment.projectId], "deleted");
  await until(() => host.ledger.departures().has(assignment.projectId));
  // A central that was set back names it under the generation of before, while its removal is under way.
  backend.desired.get(host.hostId)?.departures.clear();
  backend.want(host.hostId, [assignment, other]);
  await until(() => host.ledger.assignments().some(({ projectId }) => projectId === other.projectId));
  assert.equal(isHeld(), false);
  assert.equal(backend.inventories.length, 1);
  host.ledger.removeProject(assignment.projectId);
  link.noteRemoved();
  await until(() => backend.inventories.length === 2);
  await until(isHeld);
  host.ledger.removeProject(other.projectId);
  link.noteRemoved();
  assert.equal(link.state, "connected", "an ordinary removal ends nothing");
});

test("a removal that ends between the inventory and the first desired state is told by another inventory", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  let inventories = 0;
  const link = bench.connect(host, {
    handlers: {
      async inventory() {
        if (++inventories === 1) await mayGoOn;
        return [];
      },
    },
  });
  await until(() => inventories === 1);
  link.noteRemoved();
  goOn();
  await until(() => inventories === 2);
});
