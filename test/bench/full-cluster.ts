/**
 * A central of its own process whose database holds many accounts with many projects, and a simulated host
 * for those that run.
 */

import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeId, planNames, scopesOfLevel } from "@tijolo/protocol";
import { insertAccount } from "../../central/src/store/tables/accounts/account.ts";
import { insertHost } from "../../central/src/store/tables/hosts/host.ts";
import { insertKey } from "../../central/src/store/tables/people/key.ts";
import { openDatabase } from "../../central/src/store/sqlite/open-database.ts";
import { transact, type Transaction } from "../../central/src/store/store.ts";
import { insertProject, saveObserved } from "../../central/src/store/tables/projects/project.ts";
import { insertVersion } from "../../central/src/store/tables/projects/version.ts";
import { hashSecret, makeSecret } from "../../central/src/app/identity/secret.ts";
import { Program } from "../real/support/cluster/program.ts";
import { Operator } from "../support/cluster/operator.ts";
import { sampleSettings, sampleState } from "../support/samples.ts";
import { until } from "../support/until.ts";

/** A stored project, and a key that may read and change it. */
export interface Target {
  path: string;
  key: string;
}

export interface FullCluster {
  central: Program;
  centralUrl: string;
  port: number;
  operator: Operator;
  /** Central's file. */
  database: string;
  targets: Target[];
}

const random = (bytes: number) => randomBytes(bytes);
const newId = () => makeId(Date.now(), random(10));

export async function startFullCluster(
  resources: AsyncDisposableStack,
  { accounts, projectsPerAccount }: { accounts: number; projectsPerAccount: number },
): Promise<FullCluster> {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-bench-"));
  resources.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
  const data = join(directory, "central");
  await mkdir(data);
  const database = join(data, "central.sqlite");
  const targets = await fill(database, { accounts, projectsPerAccount });

  const plansFile = join(directory, "plans.json");
  await writeFile(plansFile, JSON.stringify(widePlans()));
  const [port, gatewayPort] = [await freePort(), await freePort()];
  const central = new Program({
    name: "central",
    logFile: join(directory, "central.log"),
    settings: {
      TIJOLO_DATA_DIRECTORY: data,
      TIJOLO_PLANS_FILE: plansFile,
      TIJOLO_LISTEN: `127.0.0.1:${port}`,
      TIJOLO_GATEWAY_LISTEN: `127.0.0.1:${gatewayPort}`,
    },
  });
  resources.defer(() => central.kill());
  await central.start();
  const centralUrl = `http://127.0.0.1:${port}`;
  const operator = new Operator(
    centralUrl,
    (await readFile(join(data, "first-operator-token"), "utf8")).trim(),
  );
  await addHost(resources, directory, operator);
  return { central, centralUrl, port, operator, database, targets };
}

async function addHost(
  resources: AsyncDisposableStack,
  directory: string,
  operator: Operator,
): Promise<void> {
  const tokenFile = join(directory, "join-token");
  await writeFile(tokenFile, await operator.createJoinToken(), { mode: 0o600 });
  const host = fork(join(import.meta.dirname, "simulated-host.ts"), {
    stdio: "inherit",
    env: {
      ...process.env,
      TIJOLO_CENTRAL_URL: operator.centralUrl,
      TIJOLO_JOIN_TOKEN_FILE: tokenFile,
      TIJOLO_DATA_DIRECTORY: join(directory, "host"),
      TIJOLO_AGENT_NAME: "bench",
      TIJOLO_HOST_NAME: "bench",
    },
  });
  resources.defer(() => void host.kill("SIGKILL"));
  await until(async () => (await operator.hosts()).some(({ state }) => state === "connected"), {
    timeoutMs: 30_000,
    everyMs: 50,
  });
}

/** Rates and pauses are counted, and so wide that no request meets them. */
function widePlans(): object {
  const wide = {
    requestsPerMinute: 100_000_000,
    requestsPerDay: 100_000_000,
    projects: 1_000,
    memoryMb: 1_000_000,
  };
  return {
    plans: Object.fromEntries(planNames.map((name) => [name, wide])),
    limits: { uploadEveryMs: 0, uploadsAtOnce: 1_000, logOpenEveryMs: 0, logStreamsAtOnce: 1_000 },
  };
}

async function fill(
  path: string,
  { accounts, projectsPerAccount }: { accounts: number; projectsPerAccount: number },
): Promise<Target[]> {
  await using opened = await openDatabase(path);
  const targets: Target[] = [];
  await transact(opened.db, async (tx) => {
    const hostId = await addStoredHost(tx);
    for (let index = 0; index < accounts; index++)
      targets.push(...(await fillAccount(tx, hostId, projectsPerAccount)));
  });
  return targets;
}

/** Stores a host, and projects of one account on it. */
export async function fillHost(
  tx: Transaction,
  projects: number,
): Promise<{ hostId: string; projectIds: string[] }> {
  const hostId = await addStoredHost(tx);
  const targets = await fillAccount(tx, hostId, projects);
  return { hostId, projectIds: targets.map(({ path }) => path.split("/").at(-1) ?? "") };
}

async function addStoredHost(tx: Transaction): Promise<string> {
  const id = newId();
  const publicKey = random(32).toString("base64url");
  await insertHost(tx, { id, name: "elsewhere", publicKey, createdAt: 0 });
  return id;
}

async function fillAccount(tx: Transaction, hostId: string, projects: number): Promise<Target[]> {
  const accountId = newId();
  const now = Date.now();
  const standing = { suspendedAt: null, stopsAt: null, betaEndsAt: null };
  await insertAccount(tx, { id: accountId, name: "Ana", plan: "Empresas", ...standing, createdAt: now });
  const key = makeSecret("svc_", random);
  await insertKey(tx, {
    id: newId(),
    accountId,
    name: "bench",
    prefix: key.slice(0, 12),
    hash: hashSecret(key),
    scopes: [...scopesOfLevel.write, "projects:settings"],
    createdAt: now,
    lastUsedAt: null,
  });
  const targets: Target[] = [];
  for (let index = 0; index < projects; index++) {
    const id = newId();
    await insertProject(tx, {
      id,
      accountId,
      name: `bot-${index}`,
      description: "",
      settings: sampleSettings(),
      subdomain: null,
      servedSubdomain: null,
      run: "off",
      startConfigTag: null,
      restartCount: 0,
      versionNumber: 1,
      createdAt: now,
      updatedAt: now,
      hostId,
      generation: 1,
    });
    await insertVersion(tx, {
      projectId: id,
      number: 1,
      sha256: "0".repeat(64),
      sizeBytes: 1,
      trigger: "upload",
      by: { kind: "service", name: "bench" },
      settings: sampleSettings(),
      rolledBackFrom: null,
      createdAt: now,
    });
    await saveObserved(tx, id, observed);
    targets.push({ path: `/api/projects/${id}`, key });
  }
  return targets;
}

/** Installed, and never started. */
const observed = sampleState({ phase: "ready", restartCount: 0 });

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
