/**
 * Tests that what a reader of logs sends reaches the host only as the link accepts it: no request cuts a
 * host's connection.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";

const unreadable: Record<string, string> = {
  "a cursor with a line end": "cursor=%0A",
  "a cursor that turns the reading direction": "before=%E2%80%AE",
  "a time with a hundred digits": `since=2026-01-01T00:00:00.${"0".repeat(100)}Z`,
};

test("a log request that the link does not take is refused, and the host goes on answering", async () => {
  await using cluster = await TestCluster.create();
  const account = await cluster.createAccount({ plan: "Empresas" });
  const project = await SimulatedProject.create(account, "sim run");
  const ask = (query: string, headers: Record<string, string> = {}) =>
    fetch(`${cluster.centralUrl}/api/projects/${project.id}/logs?follow=false&${query}`, {
      headers: { authorization: `Bearer ${account.key}`, ...headers },
    });
  for (const [name, query] of Object.entries(unreadable)) {
    const answer = await ask(query);
    assert.equal(answer.status, 400, name);
    assert.equal(((await answer.json()) as { code: string }).code, "invalid_request", name);
  }
  assert.equal((await ask("lines=10")).status, 200);
});
