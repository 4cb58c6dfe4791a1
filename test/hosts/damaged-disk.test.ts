/** A project whose disk is damaged is in error, says why, and comes back by itself once the disk is well. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { projectErrorTexts } from "@tijolo/protocol/texts/project";
import { heldRecord } from "../support/ledger/held-assignment.ts";
import { ownerText } from "../support/projects/owner-text.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

const minuteMs = 60_000;

test("its start is start_failed for a reason that is not its owner's, looked at again after a minute, then more rarely", async () => {
  await using cluster = await TestCluster.create();
  const { host } = cluster;
  const project = await SimulatedProject.create(await cluster.createAccount(), "sim run");
  await project.is("running");
  await project.stop();
  await project.is("stopped");
  const starts = () => host.machine.startCounts.get(project.id);
  const newAgent = async () => {
    await host.stop();
    await host.start();
    await cluster.untilConnected();
  };
  const preventedStarts = (count: number) =>
    until(() => heldRecord(host, project.id)?.damagedStarts === count);
  const isInError = async () =>
    assert.deepEqual((await project.get()).error, {
      code: "start_failed",
      message: ownerText({ code: "disk_damaged" }),
    });

  cluster.clock.hold();
  host.machine.damagedDisks.add(project.id);
  await project.start();
  await project.is("error");
  await isInError();
  await preventedStarts(1);
  cluster.clock.advance(minuteMs);
  await newAgent(); // it looks at once, as it is time
  await preventedStarts(2);
  await isInError();
  host.machine.damagedDisks.clear();
  cluster.clock.advance(minuteMs);
  await newAgent();
  await isInError();
  assert.equal(starts(), 1, "the second pause is longer");
  cluster.clock.advance(minuteMs);
  await newAgent();
  const { consecutiveCrashes, error } = await project.is("running");
  assert.deepEqual([starts(), consecutiveCrashes, error], [2, 0, null]);

  // Nothing of it is left over: what ends by itself is not started again.
  await project.stop();
  await project.is("stopped");
  await newAgent();
  assert.equal((await project.get()).status, "stopped");
});

test("its owner may try at any time; new code is install_interrupted, to be sent again", async () => {
  await using cluster = await TestCluster.create();
  const { damagedDisks } = cluster.host.machine;
  const project = await SimulatedProject.create(await cluster.createAccount(), "sim run");
  await project.is("running");
  await project.stop();
  await project.is("stopped");
  damagedDisks.add(project.id);
  await project.start();
  await project.is("error");
  damagedDisks.clear();
  await project.start();
  await project.is("running");

  damagedDisks.add(project.id);
  await project.upload("sim run");
  const { error } = await project.is("error");
  assert.equal(error?.code, "install_interrupted");
  assert.equal(
    error?.message,
    `${projectErrorTexts.pt.install_interrupted} O disco do projeto está danificado: fale com a equipe do serviço antes de enviar de novo. A versão 1 continua no ar.`,
  );
  damagedDisks.clear();
  await project.upload("sim run");
  await project.is("running"); // it was on, and stayed wanted
});
