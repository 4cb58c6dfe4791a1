/**
 * Tests six programs that nobody here wrote, from the npm registry and from Debian, deployed as their own
 * users would: through the HTTP interface, without any help. Each does its work, keeps its data over a
 * restart and over an upload, and stops when it is asked to. None needs a system package, and each runs in
 * far less than the 512 MB that it is given. What they took beside their start command:
 *
 * - verdaccio: a config.yaml whose storage is a folder of the project, and `--listen` on 0.0.0.0. One of its
 *   libraries is asked for by a tag of the registry; `overrides` names the version, for mirrors that keep no
 *   tags.
 * - tiddlywiki: `HOST` and `PORT` as arguments; a `build` script that makes the wiki's folder. It ends at
 *   once by SIGTERM (143), as verdaccio and the bot do.
 * - botbuilder's echo bot: what its generator makes, unchanged. Its restify works up to Node 22, and the
 *   project's error says so on 24.
 * - radicale under gunicorn: Debian's modules in a folder of the zip, which the variable `PYTHONPATH` names,
 *   and `RADICALE_CONFIG`.
 * - dokuwiki: Debian's packages, unpacked. They name each other by absolute paths and by links, which no zip
 *   has: the install command puts both right. `entry` makes the program's own folder the site, so that its
 *   data and its settings are outside.
 * - limnoria: a bot, on an IRC server of Debian's beyond this machine. Its modules are found as radicale's
 *   are, and its settings are what its wizard asks for. Without `--allow-root` it does not run as root, which
 *   it is within its container alone.
 */

import { after, before, describe, test } from "node:test";
import type { Project } from "@tijolo/protocol";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { archiveOf, DeployedProject } from "../support/projects/deployed-project.ts";
import { ask } from "../support/programs/ask.ts";
import { dokuwiki } from "../support/programs/dokuwiki.ts";
import { echoBot } from "../support/programs/echo-bot.ts";
import { IrcServer } from "../support/programs/irc-server.ts";
import { limnoria } from "../support/programs/limnoria.ts";
import type { DeployedProgram, OpenSourceProgram } from "../support/programs/open-source-program.ts";
import { radicale } from "../support/programs/radicale.ts";
import { tiddlywiki } from "../support/programs/tiddlywiki.ts";
import { verdaccio } from "../support/programs/verdaccio.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";
import { patient, secondsSince, stopCleanly } from "../support/projects/stop-cleanly.ts";

/** Programs, those that take longest first. */
const programs: readonly OpenSourceProgram[] = [verdaccio, echoBot, dokuwiki, radicale, tiddlywiki];

let cluster: RealCluster;
let account: TestAccount;
const table: Record<string, string>[] = [];

describe("programs of others", { concurrency: 3, timeout: 1_200_000 }, () => {
  before(async () => {
    cluster = await RealCluster.create();
    account = await cluster.createAccount();
  });
  after(() => {
    console.table(table);
    return cluster[Symbol.asyncDispose]();
  });

  for (const program of programs) test(`${program.name}, ${program.kind}`, () => show(program));
  test("limnoria, IRC bot (Debian)", async () => {
    await using server = await IrcServer.create();
    await show(limnoria(server));
  });
});

async function show(program: OpenSourceProgram): Promise<void> {
  const archive = await archiveOf(await program.upload());
  const version = await program.version();

  const begun = performance.now();
  const project = await create(program, archive);
  const deployed = reach(program, project);
  await serves(program, deployed);
  const cold = secondsSince(begun);
  await program.use(deployed);
  await program.check(deployed);
  const used = [await memoryOf(project)];

  await isNew(project, () => account.client.restartProject({ id: project.id }));
  await serves(program, deployed);
  await program.check(deployed);
  used.push(await memoryOf(project));

  const begunAgain = performance.now();
  await isNew(project, () => account.client.uploadCode({ id: project.id, fields: {}, file: archive }));
  await serves(program, deployed);
  const warm = secondsSince(begunAgain);
  await program.check(deployed);
  used.push(await memoryOf(project));

  const { seconds: stop, exitCode } = await stopCleanly(cluster.host, project, 3);
  table.push({
    program: program.name,
    version,
    kind: program.kind,
    "zip MB": (archive.size / 1e6).toFixed(1),
    cold,
    warm,
    "memory MB (most seen)": String(Math.max(...used)),
    stop,
    exit: exitCode ?? "-",
    took: program.took,
  });
}

async function create({ variables }: OpenSourceProgram, archive: File): Promise<DeployedProject> {
  const fields = variables === undefined ? { start: "true" as const } : {};
  const { project: created } = await account.client.createProject({ fields, file: archive });
  const project = new DeployedProject(account.client, created.id);
  if (variables === undefined) {
    await project.is("running", patient);
    return project;
  }
  await project.is("stopped", patient);
  await account.client.setVariables({ id: project.id, body: { variables } });
  await account.client.startProject({ id: project.id });
  await project.is("running", patient);
  return project;
}

function reach({ subdomain }: OpenSourceProgram, project: DeployedProject): DeployedProgram {
  const { gatewayPort } = cluster;
  return {
    project,
    account,
    gatewayPort,
    ask: (path, request) => ask(gatewayPort, subdomain ?? "", path, request),
  };
}

/** Resolves once it answers; fails at once when it crashes over and over. */
async function serves({ ready }: OpenSourceProgram, { ask: visit, project }: DeployedProgram): Promise<void> {
  const answers =
    typeof ready === "function"
      ? ready
      : async () => (await visit(ready.path).catch(() => undefined))?.status === ready.status;
  await project.when(answers, { timeoutMs: patient, failOn: ["error", "crash_loop"] });
}

/** Resolves once it runs anew. */
async function isNew(project: DeployedProject, change: () => Promise<unknown>): Promise<void> {
  const { startedAt } = await project.get();
  await change();
  const isAnother = (now: Project) => now.status === "running" && now.startedAt !== startedAt;
  await project.when(isAnother, { timeoutMs: patient, failOn: ["error", "crash_loop"] });
}

/** Returns the memory in MB, once it is known. */
async function memoryOf(project: DeployedProject): Promise<number> {
  const { usage } = await project.when(({ usage: seen }) => (seen?.memoryMb ?? 0) > 0, {
    timeoutMs: patient,
  });
  return usage?.memoryMb ?? 0;
}
