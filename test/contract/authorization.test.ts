/** Tests every operation × every kind of caller × every kind of id (api.md: "Who may call what"). */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  operationNames,
  operations,
  type Operation,
  type OperationName,
  type OperatorRole,
  type Scope,
} from "@tijolo/protocol";
import { apiRequest, type ApiAnswer } from "../support/requests/api-request.ts";
import { assertContract } from "../support/requests/assert-contract.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import {
  callersOf,
  createParty,
  foreignSecrets,
  malformed,
  missing,
  type Caller,
  type ForeignSecrets,
  type Party,
  type ResourceName,
} from "./authorization-parties.ts";
import { matrixRequests, type MatrixName } from "./authorization-requests.ts";

type IdKind = "own" | "foreign" | "missing" | "malformed";
type Outcome = [status: number, code: string | undefined];

/**
 * Operations that take something from their caller (its session, its keys), which is made anew after each
 * call that succeeds.
 */
const usesUpItsCaller: ReadonlySet<OperationName> = new Set([
  "signOut",
  "notMe",
  "changePassword",
  "createKey",
]);

let cluster: TestCluster;
let secrets: ForeignSecrets;
const matrices = new Map<Scope | null, Matrix>();
before(async () => {
  cluster = await TestCluster.create();
  secrets = await foreignSecrets(cluster);
});
after(async () => {
  secrets[Symbol.dispose]();
  await cluster[Symbol.asyncDispose]();
});

for (const name of operationNames.filter(isOfMatrix)) {
  test(`${name}: every caller and every id gets its own answer, in the stated order`, async (t) => {
    const operation: Operation = operations[name];
    const parameter = parameterOf(operation);
    const idKinds: IdKind[] = parameter === null ? ["own"] : ["own", "foreign", "missing", "malformed"];
    const scope = scopeOf(operation);
    let matrix = matrices.get(scope) ?? (await createMatrix(scope));
    let answers = 0;
    for (const { title } of matrix.callers) {
      for (const idKind of idKinds) {
        const caller = matrix.callers.find((each) => each.title === title);
        assert.ok(caller !== undefined);
        const outcome = expected(name, { caller, idKind, own: matrix.own });
        for (const id of await idsOf(outcome, { parameter, idKind, ...matrix })) {
          const answer = await call(name, caller, id);
          assert.deepEqual([title, idKind, id, answer.status, answer.code], [title, idKind, id, ...outcome]);
          assertContract(name, answer);
          if (answer.code === "insufficient_scope")
            assert.equal((answer.json as { requiredScope?: string }).requiredScope, scope);
          assertNoSecret(name, answer, matrix);
          answers++;
          if (answer.status < 300) await removeProjects(matrix);
          if (answer.status < 300 && usesUpItsCaller.has(name)) matrix = await createMatrix(scope);
        }
      }
    }
    t.diagnostic(`${answers} answers`);
    assert.ok(answers >= matrix.callers.length * idKinds.length);
  });
}

test("another account's lists hold nothing of this one's", async () => {
  const [own, other] = [await createParty(cluster), await createParty(cluster)];
  const lists = [
    (await other.panel.client.listProjects()).projects,
    (await other.panel.client.listKeys()).keys,
    (await other.panel.client.listSessions()).sessions,
    (await other.panel.client.listActivity()).activity,
    (await other.panel.client.listNotices()).notices,
    (await other.panel.client.listPasskeys()).passkeys,
  ];
  for (const list of lists) {
    assert.ok(list.length > 0);
    for (const id of Object.values(own.resources)) assert.ok(!JSON.stringify(list).includes(id));
  }
});

function isOfMatrix(name: OperationName): name is MatrixName {
  return name in matrixRequests;
}

interface Matrix {
  own: Party;
  other: Party;
  callers: Caller[];
}

/** Creates the matrix that the operations with the same scope share. */
async function createMatrix(scope: Scope | null): Promise<Matrix> {
  const [own, other] = [await createParty(cluster), await createParty(cluster)];
  const matrix = { own, other, callers: await callersOf(cluster, { own, other, secrets, scope }) };
  matrices.set(scope, matrix);
  return matrix;
}

/**
 * Returns the expected outcome by the order that api.md states, written independently: who it is, level,
 * scope, parameters, resource.
 */
function expected(
  name: MatrixName,
  { caller, idKind, own }: { caller: Caller; idKind: IdKind; own: Party },
): Outcome {
  const { access, effect, answer }: Operation = operations[name];
  const [status, code] = matrixRequests[name].reached ?? ["status" in answer ? answer.status : 200];
  const refusedByOrigin: Outcome | null =
    caller.isCrossSite === true && effect === "change" ? [401, "not_authenticated"] : null;
  if (access.kind === "public") return refusedByOrigin ?? [status, code];
  if (caller.kind === "stranger") return [401, "invalid_api_key"];
  if (access.kind === "panel") {
    if (caller.kind === "key") return [403, "api_key_not_allowed"];
    if (caller.kind === "nobody" || (caller.kind === "operator" && access.operator === undefined))
      return [401, "not_authenticated"];
    if (caller.role !== undefined && access.operator !== undefined && !includes(caller.role, access.operator))
      return [403, "insufficient_role"];
  } else if (access.kind === "key") {
    if (caller.kind === "nobody" || caller.kind === "operator") return [401, "invalid_api_key"];
    if (caller.kind === "key" && caller.scopes?.includes(access.scope) !== true)
      return [
        403,
        effect === "change" && caller.level === "read" ? "insufficient_permission" : "insufficient_scope",
      ];
  }
  if (refusedByOrigin !== null) return refusedByOrigin;
  if (idKind === "malformed") return [400, "invalid_request"];
  // An operator belongs to no account: every project is there for one.
  const isTheirs = caller.kind === "operator" || idKind === (caller.party === own ? "own" : "foreign");
  if (idKind === "missing" || (parameterOf(operations[name]) !== null && !isTheirs))
    return [404, "not_found"];
  return [status, code];
}

/** Compares roles, written independently of the product. */
function includes(held: OperatorRole, needed: OperatorRole): boolean {
  const ranks = { viewer: 1, operator: 2, owner: 3 };
  return ranks[held] >= ranks[needed];
}

/** A resource of its own for each call that succeeds, so that no call meets what an earlier one left. */
async function idsOf(
  [status]: Outcome,
  { parameter, idKind, own, other }: Matrix & { parameter: ResourceName | null; idKind: IdKind },
): Promise<readonly string[]> {
  if (parameter === null) return [""];
  const party = idKind === "own" ? own : other;
  switch (idKind) {
    case "own":
    case "foreign":
      return [status < 300 ? await party.make[parameter]() : party.resources[parameter]];
    case "missing":
      return missing[parameter]();
    case "malformed":
      return malformed[parameter];
  }
}

function call(name: MatrixName, caller: Caller, id: string): Promise<ApiAnswer> {
  const { method, path } = operations[name];
  const request = matrixRequests[name].request?.(caller.party) ?? {};
  return apiRequest(cluster.centralUrl, {
    ...request,
    method,
    path: `/api${path
      .replace(/\{(?:number|version)\}/, "1")
      .replace("{status}", "503")
      .replace(/\{\w+\}/, id)}`,
    headers: { ...request.headers, ...caller.headers },
  });
}

/** Asserts that the answer has neither a value that opens something, nor a field that would hold one. */
function assertNoSecret(
  name: OperationName,
  { text, json }: ApiAnswer,
  { own, other, callers }: Matrix,
): void {
  const bearers = callers.flatMap(({ kind, headers: { authorization } }) =>
    authorization === undefined || kind === "stranger" ? [] : [authorization.slice("Bearer ".length)],
  );
  const cookies = [own, other].flatMap(({ panel }) => [...panel.cookies.values()]);
  const values = [
    ...bearers,
    ...cookies,
    secrets.agentBearer,
    secrets.joinToken,
    own.key,
    other.key,
    own.panel.password,
  ];
  for (const value of values) assert.ok(!text.includes(value), `${name} answers a secret`);
  if (operations[name].answer.kind === "document") return;
  const allowed = name === "createKey" ? ["secret"] : [];
  for (const field of fieldsOf(json)) {
    assert.ok(
      allowed.includes(field) || !/hash|password|secret|token|cookie|digest/i.test(field),
      `${name} answers the field ${field}`,
    );
  }
}

function fieldsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([field, inner]) => [
    ...(Array.isArray(value) ? [] : [field]),
    ...fieldsOf(inner),
  ]);
}

/** Makes room on the host. */
async function removeProjects({ own, other }: Matrix): Promise<void> {
  const operator = cluster.client(cluster.operatorToken);
  for (const { key, resources } of [own, other]) {
    const { json } = await apiRequest(cluster.centralUrl, {
      method: "GET",
      path: "/api/projects",
      token: key,
    });
    const { projects = [] } = json as { projects?: { id: string }[] };
    for (const { id } of projects) if (id !== resources.id) await operator.deleteProject({ id });
  }
}

function parameterOf({ path }: Pick<Operation, "path">): ResourceName | null {
  const [, parameter] = /\{(\w+)\}/.exec(path) ?? [];
  if (parameter === undefined) return null;
  assert.ok(
    parameter === "id" ||
      parameter === "keyId" ||
      parameter === "sessionId" ||
      parameter === "noticeId" ||
      parameter === "passkeyId",
    `the matrix does not know {${parameter}}`,
  );
  return parameter;
}

function scopeOf({ access }: Operation): Scope | null {
  return access.kind === "key" ? access.scope : null;
}
