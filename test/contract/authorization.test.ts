/** Every operation × every kind of caller × every kind of id (api.md: "Who may call what"). */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { makeId, operationNames, operations, type Operation, type OperationName } from "@tijolo/protocol";
import { apiRequest, type ApiAnswer, type ApiRequest } from "../support/api-request.ts";
import { assertContract } from "../support/assert-contract.ts";
import { multipartType, uploadBody } from "../support/multipart.ts";
import { projectWhen, simulatedBot, TestCluster, type TestAccount } from "../support/test-cluster.ts";
import { zipOf } from "../support/zip-of.ts";

/** What each operation is called with so that only caller and id decide; an operation that is not here fails the run. */
const requests: Record<OperationName, () => Promise<Partial<ApiRequest>>> = {
  listProjects: async () => ({}),
  getProject: async () => ({}),
  createProject: uploadRequest,
  uploadCode: uploadRequest,
  updateProject: async () => ({ headers: { "content-type": "application/json" }, body: '{"description":"changed"}' }),
  deleteProject: async () => ({}),
  startProject: async () => ({}),
  stopProject: async () => ({}),
  restartProject: async () => ({}),
  streamLogs: async () => ({ headers: { accept: "application/json" } }),
};

async function uploadRequest(): Promise<Partial<ApiRequest>> {
  const zip = await zipOf({ "svc.json": JSON.stringify({ language: "node", command: "sim run" }) });
  return { headers: multipartType, body: uploadBody(zip) };
}

interface CallerCase {
  /** The `Authorization` header; undefined: none. */
  authorization?: string;
  kind: "nobody" | "stranger" | "operator" | "read" | "write without the scope" | "with the scope";
}

type IdKind = "own" | "foreign" | "missing" | "malformed";

const malformedIds = ["1", "01J", `${"0".repeat(25)}I`, "0".repeat(27), "..%2F..%2Fetc", "%27%20OR%201=1--"];

let cluster: TestCluster;
let account: TestAccount;
let other: TestAccount;
let foreignId: string;
const callers = new Map<string, (operation: Operation) => CallerCase>();

before(async () => {
  cluster = await TestCluster.create();
  account = await cluster.createAccount({ plan: "Empresas" });
  other = await cluster.createAccount();
  foreignId = await newProject(other);
  const keyWith = async (level: "read" | "write", scopes: string[]) => {
    const key = await cluster.createKey(account.id, level);
    await cluster.central.app.db
      .updateTable("api_key")
      .set({ scopes: JSON.stringify(scopes) })
      .where("prefix", "=", key.slice(0, 12))
      .execute();
    return `Bearer ${key}`;
  };
  const revoked = await cluster.createKey(account.id, "write");
  await cluster.central.app.db.updateTable("api_key").set({ revoked_at: 1 }).where("prefix", "=", revoked.slice(0, 12)).execute();
  const read = `Bearer ${await cluster.createKey(account.id, "read")}`;
  const write = `Bearer ${account.key}`;
  const bare = await keyWith("write", []);
  const barePerScope = new Map<string, string>();
  for (const scope of new Set(operationNames.map(scopeOf))) if (scope !== null) barePerScope.set(scope, await keyWith("write", [scope]));

  const stranger = (authorization: string) => (): CallerCase => ({ authorization, kind: "stranger" });
  callers.set("nobody", () => ({ kind: "nobody" }));
  callers.set("another scheme", stranger("Basic c3ZjXzoxMjM="));
  callers.set("an empty bearer", stranger("Bearer "));
  callers.set("a bearer that is no key", stranger("Bearer 123"));
  callers.set("a key that is cut", stranger(write.slice(0, -1)));
  callers.set("a key with a letter changed", stranger(`Bearer svc_${randomBytes(32).toString("base64url")}`));
  callers.set("a revoked key", stranger(`Bearer ${revoked}`));
  callers.set("an operator", () => ({ authorization: `Bearer ${cluster.operatorToken}`, kind: "operator" }));
  callers.set("a read key", () => ({ authorization: read, kind: "read" }));
  callers.set("a write key", (operation) => ({
    authorization: write,
    kind: scopeOf(operation) === "projects:settings" ? "write without the scope" : "with the scope",
  }));
  callers.set("a key without the scope", () => ({ authorization: bare, kind: "write without the scope" }));
  callers.set("a key with only the scope", (operation) => ({
    authorization: barePerScope.get(scopeOf(operation) ?? "") ?? write,
    kind: "with the scope",
  }));
});
after(() => cluster[Symbol.asyncDispose]());

for (const name of operationNames) {
  test(`${name}: every caller and every id gets its own answer, in the stated order`, async () => {
    const operation: Operation = operations[name];
    assert.ok(Object.hasOwn(requests, name), `the matrix does not know ${name}`);
    const idKinds: IdKind[] = operation.path.includes("{id}") ? ["own", "foreign", "missing", "malformed"] : ["own"];
    let answers = 0;
    for (const [title, callerOf] of callers) {
      const caller = callerOf(operation);
      for (const idKind of idKinds) {
        for (const id of await idsOf(name, caller, idKind)) {
          const answer = await call(name, caller.authorization, id);
          assert.deepEqual([title, idKind, answer.status, answer.code], [title, idKind, ...expected(operation, caller, idKind)]);
          assertContract(name, answer);
          if (answer.code === "insufficient_scope")
            assert.equal((answer.json as { requiredScope?: string }).requiredScope, scopeOf(operation));
          assert.ok(!answer.text.includes(account.key) && !answer.text.includes("hash"), "a secret is in the answer");
          answers++;
          if (answer.status < 300) await removeProjects();
        }
      }
    }
    assert.ok(answers >= callers.size);
  });
}

test("another account's list holds nothing of this one's", async () => {
  const { projects } = await account.client.listProjects();
  assert.ok(!projects.some(({ id }) => id === foreignId));
  assert.deepEqual(
    (await other.client.listProjects()).projects.map(({ id }) => id),
    [foreignId],
  );
});

/** Status and code by the order that api.md states, written down once more: key, level, scope, parameters, resource. */
function expected({ access, effect, answer }: Operation, caller: CallerCase, idKind: IdKind): [number, string | undefined] {
  const isKey = caller.kind !== "nobody" && caller.kind !== "stranger" && caller.kind !== "operator";
  if (caller.kind === "stranger") return [401, "invalid_api_key"];
  if (access.kind === "panel") {
    if (caller.kind === "nobody") return [401, "not_authenticated"];
    if (isKey) return [403, "api_key_not_allowed"];
  } else {
    if (!isKey) return [401, "invalid_api_key"];
    if (caller.kind === "read" && effect === "change") return [403, "insufficient_permission"];
    if (caller.kind === "write without the scope") return [403, "insufficient_scope"];
  }
  if (idKind === "malformed") return [400, "invalid_request"];
  // An operator belongs to no account: every project is there for one.
  if (idKind === "missing" || (idKind === "foreign" && caller.kind !== "operator")) return [404, "not_found"];
  return [answer.kind === "events" ? 200 : answer.status, undefined];
}

/** A project of its own for each call that succeeds, so that no call meets what an earlier one left. */
async function idsOf(name: OperationName, caller: CallerCase, kind: IdKind): Promise<string[]> {
  const isAccepted = expected(operations[name], caller, kind)[0] < 300;
  switch (kind) {
    case "own":
      return [isAccepted && operations[name].path.includes("{id}") ? await newProject(account) : foreignId];
    case "foreign":
      return [isAccepted ? await newProject(other) : foreignId];
    case "missing":
      return [makeId(Date.now(), randomBytes(10)), "0".repeat(26)];
    case "malformed":
      return malformedIds;
  }
}

function call(name: OperationName, authorization: string | undefined, id: string): Promise<ApiAnswer> {
  const { method, path } = operations[name];
  return requests[name]().then((request) =>
    apiRequest(cluster.central.url, {
      ...request,
      method,
      path: `/api${path.replace("{id}", id)}`,
      headers: { ...request.headers, ...(authorization === undefined ? {} : { authorization }) },
    }),
  );
}

async function newProject({ client }: TestAccount): Promise<string> {
  const { project } = await client.createProject({ fields: {}, file: await simulatedBot("sim run") });
  await projectWhen(client, project.id, ({ status }) => status === "stopped");
  return project.id;
}

async function removeProjects(): Promise<void> {
  const operator = cluster.client(cluster.operatorToken);
  for (const { id } of (await account.client.listProjects()).projects) await operator.deleteProject({ id });
}

function scopeOf(operation: Operation | OperationName): string | null {
  const { access }: Operation = typeof operation === "string" ? operations[operation] : operation;
  return access.kind === "key" ? access.scope : null;
}
