/** A cluster as a person finds it who has used it for a while, for tests that look at every page. */

import { scopes, type Project } from "@tijolo/protocol";
import { zipOf } from "../../support/archives/zip-of.ts";
import { TestCluster } from "../../support/cluster/test-cluster.ts";
import { operatorPerson } from "../../support/people/operator-person.ts";
import { PanelSession } from "../../support/people/panel.ts";
import { until } from "../../support/until.ts";

/** By name: the command of each project; commands are programs of the simulated runtime. */
const commands: Record<string, string> = {
  "discord-bot": "sim print pronto; log 40; run",
  "crashing-bot": "sim print falta o TOKEN; exit 1 after 500",
  "stopped-bot": "sim print até logo; exit 0 after 500",
};

export interface PanelWorld extends AsyncDisposable {
  cluster: TestCluster;
  /** Has projects in several states, a key, variables. */
  person: PanelSession;
  /** Signed up a moment ago. */
  newcomer: PanelSession;
  /** Has an account that was suspended, with a project. */
  suspended: PanelSession;
  /** Owner of the cluster. */
  operator: PanelSession;
  projectId: string;
  suspendedProjectId: string;
  hostName: string;
  /** What must not stand in an address, a title or the storage of a browser. */
  secrets: readonly string[];
}

export async function createPanelWorld(): Promise<PanelWorld> {
  await using parts = new AsyncDisposableStack();
  const cluster = parts.use(await TestCluster.create({ panel: true }));
  const person = await PanelSession.signUp(cluster, { plan: "Empresas" });
  const { key, projects } = await furnish(cluster, person, commands);
  const [project] = projects;
  if (project === undefined) throw new Error("the person has no project");
  await person.client.changeVariables({
    id: project.id,
    body: { variables: { DISCORD_TOKEN: "secret-of-a-variable", LOCALE: "pt-BR" } },
  });
  const newcomer = await PanelSession.signUp(cluster, { name: "Bia" });
  const suspended = await PanelSession.signUp(cluster, { name: "Caio", plan: "Empresas" });
  const left = await furnish(cluster, suspended, { "old-bot": "sim print pronto; run" });
  await cluster.admin.suspendAccount({ accountId: suspended.accountId, body: { graceMs: 0 } });
  const { ana: operator } = await operatorPerson(cluster);
  const sessions = [person, newcomer, suspended, operator].flatMap(({ cookies }) => [...cookies.values()]);
  const kept = parts.move();
  return {
    cluster,
    person,
    newcomer,
    suspended,
    operator,
    projectId: project.id,
    suspendedProjectId: left.projects[0]?.id ?? "",
    hostName: cluster.host.name,
    secrets: [key, left.key, "secret-of-a-variable", person.password, ...sessions],
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Gives the account a key and these projects; resolves once none of them is on its way. */
async function furnish(
  cluster: TestCluster,
  person: PanelSession,
  projects: Record<string, string>,
): Promise<{ key: string; projects: Project[] }> {
  const { secret: key } = await person.client.createKey({
    body: { name: "ci", level: "write", scopes: [...scopes], password: person.password },
  });
  const client = cluster.client(key);
  for (const [name, command] of Object.entries(projects)) {
    const zip = await zipOf({ "svc.json": JSON.stringify({ language: "node", command }), "index.js": "" });
    await client.createProject({ fields: { name, start: "true" }, file: new File([zip], `${name}.zip`) });
  }
  const settled = await until(
    async () => {
      const { projects: now } = await client.listProjects();
      return now.every(({ status }) => !["creating", "installing"].includes(status)) && now;
    },
    { timeoutMs: 60_000, everyMs: 50 },
  );
  const order = Object.keys(projects);
  return { key, projects: settled.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name)) };
}
