/**
 * Sets up a person whose account's activity is checked: with a project, stopped, and a key that may do what a
 * key can.
 */

import { activityEntry, type ActivityEntry, type Client } from "@tijolo/protocol";
import { PanelSession } from "./panel.ts";
import { SimulatedProject } from "../projects/simulated-project.ts";
import type { TestCluster } from "../cluster/test-cluster.ts";

export interface ActivePerson {
  ana: PanelSession;
  key: { id: string; secret: string; client: Client };
  project: SimulatedProject;
  /** Secrets that must be in no entry. */
  secrets: string[];
}

export async function activePerson(cluster: TestCluster): Promise<ActivePerson> {
  const ana = await PanelSession.signUp(cluster, { name: "Ana Lima", plan: "Empresas" });
  const scopes = [
    "projects:settings",
    "domains:write",
    "versions:rollback",
    "account:read",
    "activity:read",
  ] as const;
  const body = {
    name: "bot de deploy",
    level: "write" as const,
    scopes: [...scopes],
    password: ana.password,
  };
  const { key, secret } = await ana.client.createKey({ body });
  const client = cluster.client(secret);
  const project = await SimulatedProject.create({ client }, "sim run", { start: false });
  await project.is("stopped");
  return {
    ana,
    key: { id: key.id, secret, client },
    project,
    secrets: [ana.password, secret, ...ana.cookies.values()],
  };
}

/** Returns all of an account's activity as it is stored, the oldest first. */
export async function entriesOf(cluster: TestCluster, accountId: string): Promise<ActivityEntry[]> {
  const { db } = cluster.central.app;
  const rows = await db
    .selectFrom("activity")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("id")
    .execute();
  return rows.map((row) =>
    activityEntry.parse({
      id: row.id,
      at: new Date(row.at).toISOString(),
      actor: { kind: row.actor_kind, name: row.actor_name },
      action: row.action,
      project: row.project_id === null ? null : { id: row.project_id, name: row.project_name },
      address: row.address,
      before: row.before_fields === null ? null : JSON.parse(row.before_fields),
      after: row.after_fields === null ? null : JSON.parse(row.after_fields),
    }),
  );
}
