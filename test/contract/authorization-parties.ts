/**
 * Sets up two accounts that know nothing of each other, and every kind of caller that may call the first
 * one's interface.
 */

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { makeId, scopes, type KeyLevel, type OperatorRole, type Scope } from "@tijolo/protocol";
import { loadIdentity, joinCluster } from "@tijolo/protocol/kit/link";
import { RawAgent } from "../link/raw-agent.ts";
import { makeNotice } from "../support/notices/make-notice.ts";
import { makePasskey } from "../support/people/make-passkey.ts";
import { PanelSession } from "../support/people/panel.ts";
import { projectWhen, simulatedBot, type TestCluster } from "../support/cluster/test-cluster.ts";

/** Kinds of things that a path parameter can name. */
export type ResourceName = "id" | "keyId" | "sessionId" | "noticeId" | "passkeyId";

/** An account with a person, and one of each resource. */
export interface Party {
  panel: PanelSession;
  /** A key with every scope. */
  key: string;
  resources: Record<ResourceName, string>;
  /** A new one, that a call may use up. */
  make: Record<ResourceName, () => Promise<string>>;
}

export interface Caller {
  title: string;
  kind: "nobody" | "stranger" | "operator" | "key" | "session";
  headers: Record<string, string>;
  /** Party whose key or session it is; for the others, of whom the body speaks. */
  party: Party;
  /** Role of an operator. */
  role?: OperatorRole;
  /** Level of a key. */
  level?: KeyLevel;
  scopes?: readonly Scope[];
  /** The request says that another site's page sends it. */
  isCrossSite?: true;
}

export async function createParty(cluster: TestCluster): Promise<Party> {
  const panel = await PanelSession.signUp(cluster, { plan: "Empresas" });
  const { accountId, client } = panel;
  const make: Party["make"] = {
    async id() {
      const { project } = await client.createProject({ fields: {}, file: await simulatedBot("sim run") });
      await projectWhen(client, project.id, ({ status }) => status === "stopped");
      return project.id;
    },
    async keyId() {
      const body = { name: "made", level: "read" } as const;
      return (await cluster.admin.createAccountKey({ accountId, body })).key.id;
    },
    sessionId: async () => (await (await panel.elsewhere()).client.getSession()).session.id,
    noticeId: () => makeNotice(cluster, accountId),
    passkeyId: () => makePasskey(cluster, panel.email),
  };
  const resources = {
    id: await make.id(),
    keyId: await make.keyId(),
    sessionId: await make.sessionId(),
    noticeId: await make.noticeId(),
    passkeyId: await make.passkeyId(),
  };
  return { panel, key: await cluster.createKey(accountId, "write", [...scopes]), resources, make };
}

/** Secrets that were never given to an account's own people: a host's, and one that lets a host in. */
export interface ForeignSecrets extends Disposable {
  agentBearer: string;
  joinToken: string;
}

export async function foreignSecrets(cluster: TestCluster): Promise<ForeignSecrets> {
  const { centralUrl, directory, operator } = cluster;
  const identity = await loadIdentity(join(directory, "matrix-identity.pem"));
  const { hostId } = await joinCluster({
    centralUrl,
    token: await operator.createJoinToken(),
    name: "matrix",
    identity,
  });
  const agent = await RawAgent.open(Number(new URL(centralUrl).port));
  const { bearer: agentBearer } = await agent.hello({ hostId, identity }, { socket: "bulk" });
  return {
    agentBearer,
    joinToken: await operator.createJoinToken(),
    [Symbol.dispose]: () => agent[Symbol.dispose](),
  };
}

/** Returns every kind of caller for an operation that asks for `scope` (null: for none). */
export async function callersOf(
  cluster: TestCluster,
  { own, other, secrets, scope }: { own: Party; other: Party; secrets: ForeignSecrets; scope: Scope | null },
): Promise<Caller[]> {
  const { accountId } = own.panel;
  const write = await cluster.createKey(accountId, "write");
  const read = await cluster.createKey(accountId, "read");
  const revoked = await own.panel.client.createKey({
    body: { name: "revoked", level: "write", password: own.panel.password },
  });
  await own.panel.client.revokeKey({ keyId: revoked.key.id });
  const keyWith = async (granted: readonly Scope[]) => {
    const body = { name: "scopes", scopes: [...granted], password: own.panel.password };
    const { key, secret } = await own.panel.client.createKey({ body });
    return { kind: "key" as const, headers: bearer(secret), level: key.level, scopes: key.scopes };
  };
  const everyOther = scopes.filter((name) => name !== scope);
  const signedOut = await own.panel.elsewhere();
  const cookies = [...signedOut.cookies];
  await signedOut.client.signOut();
  const operatorWith = async (role: OperatorRole) => {
    const { token } = await cluster.admin.addOperator({ body: { name: role, role } });
    return { kind: "operator" as const, role, headers: bearer(token) };
  };
  const gone = await goneOperators(cluster);
  const callers: Omit<Caller, "party">[] = [
    { title: "nobody", kind: "nobody", headers: {} },
    { title: "a session that is over", kind: "nobody", headers: { ...sameSite, cookie: cookieOf(cookies) } },
    stranger("another scheme", { authorization: "Basic c3ZjXzoxMjM=" }),
    stranger("an empty bearer", { authorization: "Bearer " }),
    stranger("a bearer that is no key", bearer("123")),
    stranger("a key that is cut", bearer(write.slice(0, -1))),
    stranger("a key that nobody has", bearer(`svc_${randomBytes(32).toString("base64url")}`)),
    stranger("a revoked key", bearer(revoked.secret)),
    stranger("an agent's bearer", bearer(secrets.agentBearer)),
    stranger("a join token", bearer(secrets.joinToken)),
    stranger("a revoked operator", bearer(gone.revoked)),
    stranger("an expired operator", bearer(gone.expired)),
    { title: "a viewer", ...(await operatorWith("viewer")) },
    { title: "an operator", ...(await operatorWith("operator")) },
    { title: "an owner", kind: "operator", role: "owner", headers: bearer(cluster.operatorToken) },
    { title: "a read key", kind: "key", headers: bearer(read), level: "read", scopes: scopes.slice(0, 9) },
    {
      title: "a write key",
      kind: "key",
      headers: bearer(write),
      level: "write",
      scopes: scopes.slice(0, 13),
    },
    { title: "a key without the scope", ...(await keyWith(everyOther)) },
    { title: "a key with only the scope", ...(await keyWith(scope === null ? ["projects:read"] : [scope])) },
    { title: "a session", kind: "session", headers: { ...sameSite, cookie: cookieOf(own.panel.cookies) } },
    {
      title: "a session that another site's page uses",
      kind: "session",
      headers: { "sec-fetch-site": "cross-site", cookie: cookieOf(own.panel.cookies) },
      isCrossSite: true,
    },
  ];
  return [
    ...callers.map((caller) => ({ ...caller, party: own })),
    {
      title: "a key of another account",
      kind: "key",
      headers: bearer(other.key),
      level: "write",
      scopes,
      party: other,
    },
    {
      title: "a session of another account",
      kind: "session",
      headers: { ...sameSite, cookie: cookieOf(other.panel.cookies) },
      party: other,
    },
  ];
}

async function goneOperators(cluster: TestCluster): Promise<{ revoked: string; expired: string }> {
  const body = { name: "gone", role: "owner" } as const;
  const revoked = await cluster.admin.addOperator({ body });
  await cluster.admin.revokeOperator({ operatorId: revoked.operator.id });
  const expired = await cluster.admin.addOperator({ body });
  const { db } = cluster.central.app;
  await db.updateTable("operator").set({ expires_at: 1 }).where("id", "=", expired.operator.id).execute();
  return { revoked: revoked.token, expired: expired.token };
}

/** Ids that nobody has, and texts that are no ids, by parameter. */
export const missing: Record<ResourceName, () => string[]> = {
  id: () => [makeId(Date.now(), randomBytes(10)), "0".repeat(26)],
  keyId: () => [makeId(Date.now(), randomBytes(10)), "0".repeat(26)],
  sessionId: () => [makeId(Date.now(), randomBytes(10)), "x"],
  noticeId: () => [makeId(Date.now(), randomBytes(10)), "0".repeat(26)],
  passkeyId: () => [makeId(Date.now(), randomBytes(10)), "0".repeat(26)],
};
const malformedIds = ["1", "01J", `${"0".repeat(25)}I`, "0".repeat(27), "..%2F..%2Fetc", "%27%20OR%201=1--"];
export const malformed: Record<ResourceName, readonly string[]> = {
  id: malformedIds,
  keyId: malformedIds,
  sessionId: ["x".repeat(101)],
  noticeId: malformedIds,
  passkeyId: malformedIds,
};

const sameSite = { "sec-fetch-site": "same-origin" };

function stranger(title: string, headers: Record<string, string>): Omit<Caller, "party"> {
  return { title, kind: "stranger", headers };
}

function bearer(secret: string): Record<string, string> {
  return { authorization: `Bearer ${secret}` };
}

function cookieOf(cookies: Iterable<readonly [string, string]>): string {
  return Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ");
}
