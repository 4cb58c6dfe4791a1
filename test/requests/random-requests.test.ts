/**
 * Thousands of random, nearly valid requests at every operation: each answer is one that the table and the
 * served description allow, and none is a fault of central.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  operationNames,
  operations,
  projectStatuses,
  type Operation,
  type OperationName,
  type Project,
} from "@tijolo/protocol";
import { apiRequest, type ApiAnswer } from "../support/requests/api-request.ts";
import { assertContract } from "../support/requests/assert-contract.ts";
import { DescribedAnswers } from "../support/requests/described-answers.ts";
import { makeNotice } from "../support/notices/make-notice.ts";
import { PanelSession } from "../support/people/panel.ts";
import { requestOf, requestPlan, type RequestPlan } from "../support/requests/random-requests.ts";
import { retainedMb } from "../support/machine/retained-memory.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";

const requestCount = 2_500;
const atOnce = 6;
const maxGrowthMb = 30;

/** Each takes its session or its account with it, so a person comes for it alone. */
const endings: readonly OperationName[] = [
  "notMe",
  "signOut",
  "endSession",
  "changePassword",
  "beginTwoFactor",
  "confirmTwoFactor",
  "endTwoFactor",
];
/** Operations that need a code or a link that came another way; other tests have them. */
const withoutSuccess: readonly OperationName[] = [
  "signUp",
  "signInTwoFactor",
  "resetPassword",
  "notMeByLink",
  "confirmTwoFactor",
  "renewRecoveryCodes",
  "confirmSignUp",
  "createFirstPerson",
  "confirmSession",
  // Passkeys are made at the panel's own name, by an authenticator.
  "beginPasskeySignIn",
  "beginPasskeyConfirmation",
  "confirmSessionByPasskey",
  "signInPasskey",
  "beginPasskey",
  "addPasskey",
  "renamePasskey",
  "removePasskey",
  // What they are about is not there, or must stay as it is for the others.
  "restoreReplacedFiles",
  "getSitePage",
  "removeSitePage",
  "updateHost",
  "revokeHost",
  "endAccountTwoFactor",
  "createPasswordLink",
  "adoptOrphan",
  "removeOrphan",
  "forgetVariables",
  "revokeOperator",
  "addOperatorPerson",
  // They need a site and a name server, a gateway, or a certificate with its key.
  "addDomain",
  "verifyDomain",
  "removeDomain",
  "setDomainCertificate",
  "removeDomainCertificate",
  "removeGateway",
  "setCertificate",
  "removeCertificate",
];

test(`${requestCount} random requests get answers that are described, and central's memory stays bounded`, async (t) => {
  const seed = Number(process.env.TEST_SEED ?? 20_261_121);
  t.diagnostic(`TEST_SEED=${seed}`);
  await using cluster = await TestCluster.create();
  const owner = await PanelSession.signUp(cluster, { plan: "Empresas" });
  const key = await cluster.createKey(owner.accountId, "write", [
    "projects:settings",
    "versions:rollback",
    "account:read",
    "activity:read",
    "notices:write",
  ]);
  const account = { id: owner.accountId, key, client: cluster.client(key) };
  /** Operators change another account, which nothing below depends on. */
  const spare = await cluster.createAccount();
  const reader = await cluster.createKey(account.id, "read");
  const tokens: Record<string, string | undefined> = {
    owner: key,
    operator: cluster.operatorToken,
    reader,
    nobody: undefined,
  };
  const ownKeys = new Set((await owner.client.listKeys()).keys.map(({ id }) => id));
  const described = new DescribedAnswers(JSON.parse(await account.client.getOpenApi()) as object);
  for (let index = 0; index < 14; index++)
    await (await SimulatedProject.create(account, "sim run")).is("running");
  const notices: { id: string }[] = [];
  for (let index = 0; index < 5; index++) notices.push({ id: await makeNotice(cluster, account.id) });
  const plans = fc.sample(requestPlan, { numRuns: requestCount, seed });
  const counts = new Map<string, number>();

  let projects: Project[] = [];
  let keys: { id: string }[] = [];
  let sent = 0;
  const idOf = ({ name, id }: RequestPlan): string => {
    // Without any id the path is another one.
    if (typeof id === "string") return encodeURIComponent(id.toWellFormed()) || "_";
    const ofCluster = clusterIdOf(name, spare.id);
    if (ofCluster !== undefined) return ofCluster;
    const { path } = operations[name];
    const things = path.includes("{keyId}") ? keys : path.includes("{noticeId}") ? notices : projects;
    return things[id % Math.max(1, things.length)]?.id ?? "0".repeat(26);
  };
  const send = async (plan: RequestPlan) => {
    if (sent++ % 20 === 0) {
      ({ projects } = await account.client.listProjects());
      keys = (await owner.client.listKeys()).keys.filter(({ id }) => !ownKeys.has(id));
    }
    const operation: Operation = operations[plan.name];
    // Few projects are left to delete if every owner's request succeeds.
    const isKept = plan.name === "deleteProject" && projects.length <= 12;
    const isByOperator = plan.caller === "owner" && operation.access.kind === "operator";
    const isByPerson = plan.caller === "owner" && operation.access.kind !== "key" && !isByOperator && !isKept;
    const person = isByPerson && endings.includes(plan.name) ? await PanelSession.signUp(cluster) : owner;
    const { password, email } = person;
    const request = await requestOf(plan, {
      described: described.validator,
      token: isByOperator
        ? cluster.operatorToken
        : isByPerson
          ? undefined
          : plan.caller in tokens
            ? tokens[plan.caller]
            : plan.caller,
      cookie: isByPerson
        ? [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
        : undefined,
      id: plan.name === "endSession" && typeof plan.id === "number" ? await sessionOf(person) : idOf(plan),
      known: knownFields(plan.name, { password, email }),
    });
    const answer = await apiRequest(cluster.centralUrl, request).catch((cause: unknown) => {
      throw new Error(`no answer to ${JSON.stringify(plan)}`, { cause });
    });
    try {
      assert.notEqual(answer.code, "internal_error");
      assertContract(plan.name, answer);
      described.assert(plan.name, answer);
      if (operation.access.kind === "key" && (plan.caller === "owner" || plan.caller === "reader"))
        assertRates(answer);
    } catch (cause) {
      throw new Error(
        `${answer.status} ${answer.text.slice(0, 300)} to ${JSON.stringify(request).slice(0, 600)}`,
        { cause },
      );
    }
    const outcome = `${plan.name} ${answer.code ?? answer.status}`;
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  };

  const sendAll = async (some: RequestPlan[]) => {
    const queue = [...some];
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let plan = queue.pop(); plan !== undefined; plan = queue.pop()) await send(plan);
      }),
    );
  };
  // The first half fills what may be kept, such as compiled schemas; the second adds little to it.
  await sendAll(plans.slice(0, requestCount / 2));
  const halfMb = await retainedMb();
  await sendAll(plans.slice(requestCount / 2));
  const growthMb = (await retainedMb()) - halfMb;
  t.diagnostic(
    `${Math.round(halfMb)} MB are held after the first half, and ${growthMb.toFixed(1)} MB more after the second`,
  );
  for (const outcome of [...counts.keys()].sort()) t.diagnostic(`${outcome}: ${counts.get(outcome)}`);
  assert.ok(growthMb < maxGrowthMb, `${growthMb} MB`);
  const never = operationNames.filter(
    (name) => ![...counts.keys()].some((outcome) => new RegExp(`^${name} 2`).test(outcome)),
  );
  const unexpected = never.filter((name) => !withoutSuccess.includes(name));
  assert.deepEqual(unexpected, [], "these never succeeded: the requests are not nearly valid");
  ({ projects } = await account.client.listProjects());
  assert.ok(projects.every(({ status }) => projectStatuses.includes(status)));
  const alive = await SimulatedProject.create(await cluster.createAccount(), "sim run");
  await alive.is("running", 30_000);
});

/** Operations about a host that leave it as it is. */
const reads: readonly OperationName[] = ["getHost", "getHostHardware"];

/** Returns what the path of an operators' operation names; undefined for projects, and for all others. */
function clusterIdOf(name: OperationName, accountId: string): string | undefined {
  const { path } = operations[name];
  if (path.includes("{host}")) return reads.includes(name) ? "host-1" : "nowhere";
  if (path.includes("{accountId}")) return accountId;
  if (path.includes("{operatorId}")) return "0".repeat(26);
  return path.includes("{version}") ? "ruby" : undefined;
}

/** Returns what a person who means it would type. */
function knownFields(
  name: OperationName,
  { password, email }: { password: string; email: string },
): Record<string, unknown> {
  const fields: { [Name in OperationName]?: Record<string, unknown> } = {
    createKey: { name: "random", level: "read", password },
    signIn: { email, password },
    setImage: { reference: "registry.example/ruby:4.0" },
    pullImages: { host: "host-1", images: [{ language: "ruby", version: "4.0" }], systemPackages: [] },
    requestPasswordReset: { email },
    changePassword: { currentPassword: password, newPassword: `${password} nova` },
    setNoticeChannels: { email: { kinds: [] }, discord: null, webhook: null },
    beginTwoFactor: { password },
    endTwoFactor: { password },
  };
  return fields[name] ?? {};
}

async function sessionOf(person: PanelSession): Promise<string> {
  return (await person.client.listSessions()).sessions[0]?.id ?? "";
}

/** Every answer to a valid key has them (spec: "Limits"). */
function assertRates({ headers }: ApiAnswer): void {
  for (const name of ["limit", "remaining", "reset", "policy"])
    assert.ok(headers.has(`ratelimit-${name}`), `RateLimit-${name} is missing`);
}
