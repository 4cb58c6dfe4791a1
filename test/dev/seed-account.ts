/**
 * An account with sample projects in the states that a person meets, and the person, who runs the cluster,
 * too; made once in each directory.
 */

import { readFile, writeFile } from "node:fs/promises";
import { scopes, type Project } from "@tijolo/protocol";
import { PanelSession } from "../support/people/panel.ts";
import type { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { zipOf } from "../support/archives/zip-of.ts";

/** By name: the files of each project. Commands are programs of the simulated runtime. */
const samples: Record<string, Record<string, string>> = {
  "discord-bot": program("sim print pronto; log 40; run"),
  "music-bot": program("sim print entrou na sala; warn latência alta; run"),
  "crashing-bot": program("sim print falta o TOKEN; exit 1 after 500"),
  "stopped-bot": program("sim print até logo; exit 0 after 500"),
  landing: {
    "svc.json": JSON.stringify({ language: "static", type: "site" }),
    "index.html": "<!doctype html><title>Tijolo</title><h1>Olá!</h1>",
  },
};

/** The person who has the account: with this, one signs in at the panel. */
export const person = { name: "Ana", email: "ana@example.com", password: "uma senha bem comprida" };

interface SeededAccount {
  key: string;
  projects: Project[];
}

/**
 * Creates person and account if `file`, which then holds a key, is not there. Resolves once nothing is on its
 * way.
 */
export async function seedAccount(cluster: TestCluster, file: string): Promise<SeededAccount> {
  const stored = await readFile(file, "utf8").catch(() => null);
  const key = stored === null ? await createSamples(cluster) : (JSON.parse(stored) as { key: string }).key;
  if (stored === null) await writeFile(file, JSON.stringify({ key }), { mode: 0o600 });
  const client = cluster.client(key);
  const projects = await until(
    async () => {
      const { projects } = await client.listProjects();
      return projects.every(({ status }) => !["creating", "installing"].includes(status)) && projects;
    },
    { timeoutMs: 60_000, everyMs: 100 },
  );
  return { key, projects };
}

async function createSamples(cluster: TestCluster): Promise<string> {
  const ana = await PanelSession.signUp(cluster, { ...person, plan: "Empresas" });
  await cluster.admin.addOperatorPerson({ body: { email: person.email, role: "owner" } });
  const { secret: key } = await ana.client.createKey({
    body: { name: "pnpm dev", level: "write", scopes: [...scopes], password: person.password },
  });
  const client = cluster.client(key);
  for (const [name, files] of Object.entries(samples)) {
    const file = new File([await zipOf(files)], `${name}.zip`);
    await client.createProject({ fields: { name, start: "true" }, file });
  }
  return key;
}

function program(command: string): Record<string, string> {
  return { "svc.json": JSON.stringify({ language: "node", command }), "index.js": "" };
}
