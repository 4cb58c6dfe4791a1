/**
 * Tests the account and the key that `npm start` makes on its first start, however often that is interrupted
 * before anybody saw them.
 */

import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { CommandContext } from "../../cli/src/command-context.ts";
import { makeFirstAccount } from "../../cli/src/start/first-start.ts";
import { PanelSession } from "../support/people/panel.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";

const context = {
  fetch,
  signal: new AbortController().signal,
  messages: { start: { accountName: "Minha conta" } },
} as unknown as CommandContext;

test("a first start that is interrupted time and again has one account and one key, and comes through", async () => {
  await using cluster = await TestCluster.create({ hosts: 0, hasRealLimits: true });
  const keyFile = join(cluster.directory, "first-key");
  const first = {
    serverUrl: cluster.centralUrl,
    operatorToken: cluster.operatorToken,
    examplesDirectory: "",
    keyFile,
  };
  const keys = new Set<string>();
  for (let start = 1; start <= 12; start += 1) {
    const { key, client } = await makeFirstAccount(context, first);
    keys.add(key);
    assert.deepEqual((await client.listProjects({})).projects, []);
  }
  assert.equal(keys.size, 1);
  const { link } = await cluster.admin.createStartLink();
  const body = { token: link.token, email: "ana@example.com", password: "uma senha bem comprida" };
  const ana = await new PanelSession(cluster.centralUrl).client.createFirstPerson({ body });
  const { accounts } = await cluster.admin.listAccounts();
  assert.deepEqual(
    accounts.map(({ id, name }) => ({ id, name })),
    [ana.account],
    "the first person has the account with the examples",
  );
  assert.equal((await readFile(keyFile, "utf8")).trim(), [...keys][0]);
  assert.equal((await stat(keyFile)).mode & 0o777, 0o600);
  const [unlike] = keys;
  for (const torn of ["", "\0\0\0", `${unlike?.slice(0, -4)}AAAA`]) {
    await writeFile(keyFile, torn);
    const { client } = await makeFirstAccount(context, first);
    assert.deepEqual((await client.listProjects({})).projects, [], JSON.stringify(torn));
  }
});
