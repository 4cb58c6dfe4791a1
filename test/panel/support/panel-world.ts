/** A cluster as a person finds it who has used it for a while, for tests that look at every page. */

import { scopes, type Project } from "@tijolo/protocol";
import { storeVisits } from "../../../central/src/app/visits/visit-keeping.ts";
import { Countries } from "../../../central/src/pages-server/visits/countries.ts";
import type { SiteCounts } from "../../../central/src/pages-server/visits/site-counts.ts";
import { VisitCounter } from "../../../central/src/pages-server/visits/visit-counter.ts";
import { VisitorHash } from "../../../central/src/pages-server/visits/visitor-hash.ts";
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
  /** A site that was visited, with a domain that waits for DNS. */
  siteId: string;
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
  const siteId = await visitedSite(cluster, person);
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
    siteId,
    suspendedProjectId: left.projects[0]?.id ?? "",
    hostName: cluster.host.name,
    secrets: [key, left.key, "secret-of-a-variable", person.password, ...sessions],
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Returns a site with the visits of two days, as a gateway counts them. */
async function visitedSite(cluster: TestCluster, person: PanelSession): Promise<string> {
  const svcJson = JSON.stringify({ language: "static", subdomain: "padaria" });
  const file = new File([await zipOf({ "svc.json": svcJson, "index.html": "Pão" })], "padaria.zip");
  const { project } = await person.client.createProject({ fields: { name: "padaria" }, file });
  const hash = new VisitorHash(new Uint8Array(32));
  const counted: SiteCounts[] = [];
  const onEarly = (counts: SiteCounts[]) => void counted.push(...counts);
  const counter = new VisitCounter({ visitors: () => hash, countries: new Countries(), onEarly });
  const now = cluster.clock.now();
  for (let index = 0; index < 1_500; index++) {
    counter.count({
      projectId: project.id,
      at: now - index * 110_000,
      method: index % 9 === 0 ? "POST" : "GET",
      path:
        ["/", "/paes", "/bolos", "/encomendas/para-o-fim-de-semana", "/contato"][(index * index) % 5] ?? "/",
      host: "padaria.localhost",
      status: [200, 200, 200, 304, 404, 200, 503][index % 7] ?? 200,
      bytes: 2_000 + index * 13,
      durationMs: 8 + (index % 40),
      address: `192.0.2.${(index * 7) % 200}`,
      userAgent: agents[index % agents.length] ?? "",
      referrer: index % 4 === 0 ? "https://www.google.com/" : "",
    });
  }
  await storeVisits(cluster.central.app, [...counted, ...counter.take()]);
  await person.client.addDomain({ id: project.id, body: { hostname: "www.café.com.br" } });
  return project.id;
}

const agents = [
  "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0",
  "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
];

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
