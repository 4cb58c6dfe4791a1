/** Provides the clusters that the cases run against, and their accounts. */

import assert from "node:assert/strict";
import type { ApiAnswer } from "../support/requests/api-request.ts";
import type { NewAccount } from "../support/cluster/operator.ts";
import { PanelSession } from "../support/people/panel.ts";
import { TestCluster, type TestClusterOptions } from "../support/cluster/test-cluster.ts";
import { SpecClient } from "./spec-client.ts";

/** An account with one key. */
export interface SpecAccount {
  id: string;
  client: SpecClient;
}

/** An account of somebody who is signed in to the panel. */
export interface SpecPerson extends SpecAccount {
  panel: PanelSession;
  /** The key of `client`: level write, with the scope of PATCH. */
  key: MadeKey;
}

export interface MadeKey {
  id: string;
  /** The whole key, as it is displayed once. */
  secret: string;
  client: SpecClient;
}

export interface KeyWish {
  name?: string;
  level?: "read" | "write";
  scopes?: string[];
  /** Default the person's own. */
  password?: string;
}

/** Holds what one case has: the shared cluster, and accounts of its own without projects at its end. */
export class SpecWorld implements AsyncDisposable {
  /**
   * One host, rates so wide that no case meets them. For cases that break nothing and move the clock by a
   * millisecond at most.
   */
  readonly cluster: TestCluster;
  readonly #clients: SpecClient[] = [];

  constructor(cluster: TestCluster) {
    this.cluster = cluster;
  }

  /** Creates an account on the shared cluster, with a key of level write and the scope of PATCH. */
  async account(options: NewAccount = {}): Promise<SpecAccount> {
    const account = await accountOn(this.cluster, options);
    this.#clients.push(account.client);
    return account;
  }

  async client(options: NewAccount = {}): Promise<SpecClient> {
    return (await this.account(options)).client;
  }

  async person(): Promise<SpecPerson> {
    const person = await personOn(this.cluster);
    this.#clients.push(person.client);
    return person;
  }

  /**
   * A cluster of the case's own, with the limits of the specification, and a clock that only the case moves;
   * the case ends it.
   */
  async limited(options: TestClusterOptions = {}): Promise<TestCluster> {
    const cluster = await TestCluster.create({ hasRealLimits: true, ...options });
    cluster.clock.hold();
    return cluster;
  }

  /** Makes room on the host. */
  async [Symbol.asyncDispose](): Promise<void> {
    const operator = new SpecClient(this.cluster.centralUrl, this.cluster.operatorToken);
    for (const client of this.#clients) {
      const { projects = [] } = (await client.get("/projects")).json as { projects?: { id: string }[] };
      for (const { id } of projects) await operator.delete(`/projects/${id}`);
    }
  }
}

export async function accountOn(cluster: TestCluster, options: NewAccount = {}): Promise<SpecAccount> {
  const { id, key } = await cluster.createAccount({ scopes: ["projects:settings"], ...options });
  return { id, client: new SpecClient(cluster.centralUrl, key) };
}

export async function personOn(cluster: TestCluster): Promise<SpecPerson> {
  const panel = await PanelSession.signUp(cluster);
  const key = await makeKey(panel, { level: "write", scopes: ["projects:settings"] });
  return { id: panel.accountId, panel, key, client: key.client };
}

/** Confirmed with the password; fails unless the key is made. */
export async function makeKey(panel: PanelSession, wish: KeyWish): Promise<MadeKey> {
  const answer = await askForKey(panel, wish);
  assert.equal(answer.status, 201, answer.text);
  const { key, secret } = answer.json as { key: { id: string }; secret: string };
  return { id: key.id, secret, client: new SpecClient(panel.centralUrl, secret) };
}

export function askForKey(panel: PanelSession, wish: KeyWish): Promise<ApiAnswer> {
  return panel.call("POST", "/account/keys", { json: { name: "test", password: panel.password, ...wish } });
}
