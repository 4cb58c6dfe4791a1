/**
 * Tests every operators' operation × every kind of caller: only a token of the role that the table names is
 * accepted, or a person with that role and a second factor, and for a change a confirmation; each accepted
 * change is in the record of operators' changes, once.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  clusterOperationNames,
  operationNames,
  operations,
  type AuditEntry,
  type ClusterOperationName,
  type Operation,
  type OperatorRole,
} from "@tijolo/protocol";
import { accountTexts } from "@tijolo/protocol/texts/account";
import { apiRequest, type ApiAnswer } from "../support/requests/api-request.ts";
import { assertContract } from "../support/requests/assert-contract.ts";
import { DescribedAnswers } from "../support/requests/described-answers.ts";
import { rerunTransactions } from "../support/cluster/rerun-transactions.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import {
  callersOf,
  createParty,
  foreignSecrets,
  type Caller,
  type ForeignSecrets,
} from "./authorization-parties.ts";
import { clusterRequests } from "./cluster-requests.ts";
import { operatorSessions, type OperatorSession } from "./operator-parties.ts";

// Each change is one that can be run again.
rerunTransactions();

/** Roles in order, written independently of the product: a role includes those before it. */
const roles: readonly OperatorRole[] = ["viewer", "operator", "owner"];

let cluster: TestCluster;
let secrets: ForeignSecrets;
let callers: Caller[];
let sessions: OperatorSession[];
let described: DescribedAnswers;
before(async () => {
  cluster = await TestCluster.create();
  secrets = await foreignSecrets(cluster);
  const [own, other] = [await createParty(cluster), await createParty(cluster)];
  described = new DescribedAnswers(JSON.parse(await cluster.admin.getOpenApi()) as object);
  callers = await callersOf(cluster, { own, other, secrets, scope: null });
  sessions = await operatorSessions(cluster);
});
after(async () => {
  secrets[Symbol.dispose]();
  await cluster[Symbol.asyncDispose]();
});

test("the operators' operations are those under /cluster, and no other", () => {
  const under = operationNames.filter((name) => operations[name].path.startsWith("/cluster/"));
  assert.deepEqual(under, clusterOperationNames);
  assert.ok(under.length > 30);
});

for (const name of clusterOperationNames) {
  test(`${name}: only its role is let through, and a change is recorded once`, async (t) => {
    const operation: Operation = operations[name];
    assert.ok(operation.access.kind === "operator");
    const { role } = operation.access;
    const { missing, reached } = clusterRequests[name];
    let letThrough = 0;
    for (const caller of callers) {
      const isEnough = caller.role !== undefined && roles.indexOf(caller.role) >= roles.indexOf(role);
      const params = isEnough ? await paramsOf(name) : anyParams(operation);
      const seen = await newestOf(cluster);
      const answer = await call(name, caller, params);
      const status = "status" in operation.answer ? operation.answer.status : 200;
      const outcome = isEnough
        ? (reached ?? [status, undefined])
        : caller.kind === "operator"
          ? [403, "insufficient_role"]
          : [401, "invalid_operator_token"];
      assert.deepEqual([caller.title, answer.status, answer.code], [caller.title, ...outcome], answer.text);
      assertContract(name, answer);
      described.assert(name, answer);
      if (answer.code === "insufficient_role")
        assert.equal((answer.json as { requiredRole?: string }).requiredRole, role);
      const recorded = await since(seen);
      const isRecorded = operation.effect === "change" && answer.status < 300;
      assert.deepEqual(
        recorded.map(({ action, address, operator }) => [action, address, operator.name]),
        isRecorded ? [[name, "127.0.0.1", caller.role === "owner" ? "first operator" : caller.role]] : [],
      );
      assertNoSecret(JSON.stringify(recorded), answer);
      const fields = recorded.flatMap(({ before, after }) => Object.keys({ ...before, ...after }));
      const unnamed = fields.filter((field) => !(field in accountTexts.pt.fields));
      assert.deepEqual(unnamed, [], "fields without a word for people");
      if (!isEnough) continue;
      letThrough++;
      if (missing !== undefined) {
        const nowhere = await call(name, caller, missing);
        assert.deepEqual([nowhere.status, nowhere.code], [404, "not_found"], nowhere.text);
      }
    }
    t.diagnostic(`${callers.length} callers, ${letThrough} let through`);
    assert.equal(letThrough, roles.length - roles.indexOf(role));
  });
}

for (const name of clusterOperationNames) {
  test(`${name}: a person's session is let through by role, second factor and confirmation`, async () => {
    const operation: Operation = operations[name];
    assert.ok(operation.access.kind === "operator");
    const { role } = operation.access;
    for (const session of sessions) {
      const refusal = refusalOf(session, role, operation);
      const params = refusal === null ? await paramsOf(name) : anyParams(operation);
      const seen = await newestOf(cluster);
      const answer = await call(name, { headers: headersOf(session) }, params);
      const status = "status" in operation.answer ? operation.answer.status : 200;
      const outcome = refusal ?? clusterRequests[name].reached ?? [status, undefined];
      assert.deepEqual([session.title, answer.status, answer.code], [session.title, ...outcome], answer.text);
      assertContract(name, answer);
      described.assert(name, answer);
      const recorded = await since(seen);
      const isRecorded = operation.effect === "change" && answer.status < 300;
      assert.deepEqual(
        recorded.map(({ action, address, operator }) => [action, address, operator.name]),
        isRecorded ? [[name, "127.0.0.1", "Ana"]] : [],
      );
      assertNoSecret(JSON.stringify(recorded), answer);
    }
  });
}

/** What a person's session is refused with, written independently of the product; null: nothing. */
function refusalOf(
  { role, lacks }: OperatorSession,
  needed: OperatorRole,
  { effect }: Operation,
): [number, string] | null {
  if (roles.indexOf(role) < roles.indexOf(needed)) return [403, "insufficient_role"];
  if (lacks === "own origin" && effect === "change") return [401, "not_authenticated"];
  if (lacks === "second factor") return [403, "two_factor_required"];
  if (lacks === "confirmation" && effect === "change") return [403, "confirmation_required"];
  return null;
}

function headersOf({ panel }: OperatorSession): Record<string, string> {
  const cookie = [...panel.cookies].map(([key, value]) => `${key}=${value}`).join("; ");
  return { ...panel.headers, cookie };
}

test("an address of the operators' interface with nothing at it tells a stranger nothing", async () => {
  for (const path of ["/api/cluster", "/api/cluster/nothing", "/admin/listHosts"]) {
    const answer = await apiRequest(cluster.centralUrl, { method: "GET", path });
    assert.deepEqual([answer.status, answer.code], [404, "not_found"]);
  }
});

function paramsOf(name: ClusterOperationName): Promise<Record<string, string>> {
  return clusterRequests[name].params?.(cluster) ?? Promise.resolve({});
}

/** Returns parameters for a caller who is refused before anybody reads them. */
function anyParams({ path }: Operation): Record<string, string> {
  return Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = ""]) => [parameter, "x"]));
}

function call(
  name: ClusterOperationName,
  caller: Pick<Caller, "headers">,
  params: Record<string, string>,
): Promise<ApiAnswer> {
  const { method, path } = operations[name];
  const { query = "", body } = clusterRequests[name];
  const document = typeof body === "function" ? body(params) : body;
  return apiRequest(cluster.centralUrl, {
    method,
    path: `/api${path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => params[parameter] ?? "")}${query}`,
    headers: {
      accept: "application/json",
      ...(document === undefined ? {} : { "content-type": "application/json" }),
      ...caller.headers,
    },
    ...(document === undefined ? {} : { body: JSON.stringify(document) }),
  });
}

async function newestOf({ admin }: TestCluster): Promise<string | undefined> {
  return (await admin.listAudit({ query: { limit: 1 } })).entries[0]?.id;
}

async function since(seen: string | undefined): Promise<AuditEntry[]> {
  const { entries } = await cluster.admin.listAudit({ query: { limit: 20 } });
  const end = entries.findIndex(({ id }) => id === seen);
  return end === -1 ? entries : entries.slice(0, end);
}

/** The record holds nothing that the answer hands out once, nor what opened the door. */
function assertNoSecret(recorded: string, { json }: ApiAnswer): void {
  assert.doesNotMatch(recorded, /(?:svc|tjo|tjj|tjl)_[\w-]{20}/);
  const { token, secret } = (json ?? {}) as { token?: string; secret?: string };
  for (const value of [token, secret]) if (value !== undefined) assert.ok(!recorded.includes(value));
}
