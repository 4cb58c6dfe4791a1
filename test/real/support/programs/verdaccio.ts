/**
 * Provides Verdaccio from npm: a registry of packages, filled by the npm client and used by another project
 * of the same account.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exec } from "../../../../agent/src/host/exec.ts";
import { DeployedProject } from "../projects/deployed-project.ts";
import { gatewayProxy } from "./ask.ts";
import type { DeployedProgram, OpenSourceProgram } from "./open-source-program.ts";

const version = "6.10.4";
/** One of its libraries asks for it by a tag, `cjs`, which not every mirror of the registry keeps. */
const overrides = { "node-fetch": "2.6.7" };
const subdomain = "pacotes";
const port = 4873;
const patient = 300_000;

const settings = `storage: /app/storage
auth:
  htpasswd:
    file: /app/htpasswd
packages:
  "**":
    access: $all
    publish: $authenticated
log: { type: stdout, format: pretty, level: http }
`;

export const verdaccio: OpenSourceProgram = {
  name: "verdaccio",
  kind: "npm registry (npm)",
  took: "config.yaml with its storage in /app; --listen on 0.0.0.0; overrides for a library asked for by a tag",
  version: async () => version,
  subdomain,
  upload: async () => ({
    files: {
      "package.json": JSON.stringify({ private: true, dependencies: { verdaccio: version }, overrides }),
      "config.yaml": settings,
    },
    config: {
      language: "node",
      version: "24",
      type: "site",
      subdomain,
      port,
      memoryMb: 512,
      command: "verdaccio --config config.yaml --listen http://0.0.0.0:$PORT",
    },
  }),
  ready: { path: "/-/ping", status: 200 },

  async use(deployed) {
    assert.match(await (await deployed.ask("/")).text(), /verdaccio/i);
    const token = await signUp(deployed);
    const refused = await npm(deployed, ["publish"], "wrong").catch((error: unknown) => String(error));
    assert.match(String(refused), /E401|E403|ENEEDAUTH/);
    await npm(deployed, ["publish"], token);
    await usedByNeighbour(deployed);
  },

  async check(deployed) {
    const installed = await npm(
      deployed,
      ["install", "--no-audit", "tijolinho@1.2.3"],
      "none",
      "node_modules/tijolinho/index.js",
    );
    assert.match(installed, /um tijolo/);
  },
};

/** Sends what `npm adduser` sends. */
async function signUp({ ask }: DeployedProgram): Promise<string> {
  const body = JSON.stringify({ name: "ana", password: "um segredo longo" });
  const answer = await ask("/-/user/org.couchdb.user:ana", {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body,
  });
  assert.equal(answer.status, 201, await answer.clone().text());
  return ((await answer.json()) as { token: string }).token;
}

/**
 * The npm client on its user's own computer, in a folder with or without the package; answers with `file` as
 * it is afterwards.
 */
async function npm(
  { gatewayPort }: DeployedProgram,
  argv: string[],
  token: string,
  file = "package.json",
): Promise<string> {
  // HOME is apart: npm writes its log there while it packs the folder.
  const home = await mkdtemp(join(tmpdir(), "tijolo-npm-"));
  const directory = join(home, "folder");
  await mkdir(directory);
  const { port: proxyPort, server } = await gatewayProxy(gatewayPort);
  const registry = `${subdomain}.localhost:${gatewayPort}/`;
  const isPublished = argv[0] === "publish";
  try {
    const settings = [
      `registry=http://${registry}`,
      `proxy=http://127.0.0.1:${proxyPort}`,
      "noproxy=",
      `//${registry}:_authToken=${token}`,
    ];
    await writeFile(join(directory, ".npmrc"), settings.join("\n"));
    await writeFile(
      join(directory, "package.json"),
      JSON.stringify(isPublished ? { name: "tijolinho", version: "1.2.3" } : { private: true }),
    );
    if (isPublished) await writeFile(join(directory, "index.js"), "module.exports = 'um tijolo';");
    await exec(["npm", ...argv], {
      cwd: directory,
      timeoutMs: patient,
      env: { PATH: process.env.PATH ?? "", HOME: home },
    });
    return await readFile(join(directory, file), "utf8");
  } finally {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
    await rm(home, { recursive: true, force: true });
  }
}

/** A bot of the same account installs the package by the registry's internal name. */
async function usedByNeighbour({ project, account }: DeployedProgram): Promise<void> {
  const { internalHost } = await project.get();
  const bot = await DeployedProject.create(account.client, {
    files: {
      ".npmrc": `registry=http://${internalHost}:${port}/\n`,
      "package.json": JSON.stringify({ dependencies: { tijolinho: "^1.0.0" } }),
      "bot.js": "console.log('tenho ' + require('tijolinho')); setInterval(() => {}, 1000);",
    },
    config: { language: "node", version: "24", entry: "bot.js" },
  });
  await bot.is("running", patient);
  await bot.prints("tenho um tijolo", patient);
  await account.client.stopProject({ id: bot.id });
  await bot.is("stopped", patient);
}
