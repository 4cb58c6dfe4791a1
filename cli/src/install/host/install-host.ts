/** `install host`: makes this machine a host of a cluster, as a service of systemd. */

import { mkdir, readFile, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { parseEnv } from "node:util";
import { readLedger } from "./agent-ledger.ts";
import { agentSettingsText, ownSettings } from "./agent-settings.ts";
import { agentUnit, textOfAgentUnit } from "./agent-unit.ts";
import { defaultClusterNetwork, readCentralSettings } from "../central/central-settings.ts";
import { linkTo, writeAll, writeWhole } from "../file-steps.ts";
import { installPackages, missingPackages } from "../packages/host-packages.ts";
import { checkHostMachine } from "./host-preflight.ts";
import { PackageSource } from "../packages/package-source.ts";
import { agentFiles, places } from "../places.ts";
import { assertAddress, readAuthority, readToken, type JoiningRequest } from "../joining.ts";
import { enableUnits, findOtherProgram, startUnit } from "../start-unit.ts";
import { writeUnit } from "../write-unit.ts";
import { pinReleaseKey } from "../release-pin.ts";
import { placeTree, useTree } from "../release-tree.ts";
import { runProgram, succeeds } from "../run-program.ts";
import { Changes, inParts, runSteps, type Step, type StepContext, type Undo } from "../steps.ts";

/** A first start makes the tools that containers need. */
const startTimeoutMs = 20 * 60_000;

/** Resolves with the number of steps that changed something; null when the person does not go on. */
export async function installHost(context: StepContext, request: JoiningRequest): Promise<number | null> {
  const { messages } = context;
  const { install: texts } = messages;
  const { centralUrl, packagesFile } = request;
  assertAddress(request, texts.plainHttp(centralUrl, "host"));
  const { authority, own, hasJoined, packages } = await checkHost(context, request);
  if (!(await request.confirm(texts.hostPlan(hostname(), centralUrl, packages.join(" "))))) return null;
  const token = hasJoined ? null : await readToken(request, "tjj_", texts);
  await using source = packagesFile === null ? null : await PackageSource.open(packagesFile, messages);
  const changes = new Changes();
  const settings = agentSettingsText({ centralUrl, hasAuthority: authority !== null, own });
  const wasRunning = await succeeds(["systemctl", "is-active", "--quiet", agentUnit]);
  const steps: (Step | null)[] = [
    { name: "packages", run: () => installPackages(packages, source) },
    source === null ? null : { name: "tools", run: () => source.placeTools() },
    { name: "tree", run: changes.noting(placeTree) },
    { name: "settings", run: changes.noting(() => writeSettings(settings, authority)) },
    { name: "link", run: changes.noting(() => useTree(places.agent)) },
    {
      name: "command",
      run: () => linkTo(`${places.commands}/tijolo-agent`, `${places.agent}/bin/tijolo-agent`),
    },
    { name: "units", run: changes.noting(() => writeUnit(agentUnit, textOfAgentUnit)) },
    { name: "join", run: changes.noting(() => writeToken(token)) },
    { name: "service", run: () => startAgent(changes.isAny, wasRunning) },
  ];
  const startAgain = async () => {
    if (wasRunning) await runProgram(["systemctl", "restart", agentUnit], { timeoutMs: startTimeoutMs });
  };
  const changed = await runSteps({ steps, afterUndo: startAgain }, context);
  await rm(agentFiles.joinToken, { force: true });
  return changed;
}

/** Holds what there is of a host on this machine, and what is missing. */
export interface FoundHost {
  /** The pinned authority, in PEM; null for a central of this machine without TLS. */
  authority: string | null;
  /** Settings of the agent that the first installation writes; none where there is a file. */
  own: Record<string, string>;
  hasJoined: boolean;
  /** Debian packages that are missing. */
  packages: string[];
}

/** Throws with all that keeps this machine from being a host; changes nothing. */
export async function checkHost(
  { messages }: Pick<StepContext, "messages">,
  request: JoiningRequest,
): Promise<FoundHost> {
  const { centralUrl, environment } = request;
  const authority = await readAuthority(request, messages.install);
  const written = await readFile(agentFiles.settings, "utf8").catch(() => null);
  const own = written === null ? ownSettings(environment) : {};
  const settings = written === null ? own : parseEnv(written);
  const { hasJoined } = readLedger();
  const hasContainers = settings["TIJOLO_RUNTIME"] !== "process";
  const network = settings["TIJOLO_NETWORK_CIDR"] || (await clusterNetworkOf(request, authority));
  await checkHostMachine(messages, { centralUrl, authority, hasContainers, isHost: hasJoined, network });
  return { authority, own, hasJoined, packages: hasContainers ? await missingPackages() : [] };
}

/** Returns the cluster's network: as central's script names it, or as central of this machine has it. */
async function clusterNetworkOf(
  { clusterNetwork, environment }: JoiningRequest,
  authority: string | null,
): Promise<string> {
  if (clusterNetwork !== undefined) return clusterNetwork;
  return authority === null ? (await readCentralSettings(environment)).clusterNetwork : defaultClusterNetwork;
}

/** Writes the settings where there are none, and what is pinned: central's authority, the key of releases. */
async function writeSettings(settings: string, authority: string | null): Promise<Undo | null> {
  const own = await readFile(agentFiles.settings, "utf8").catch(() => null);
  await mkdir(agentFiles.data, { recursive: true, mode: 0o700 });
  return inParts(async (note) => {
    note(
      await writeAll([
        ...(own === null ? [{ path: agentFiles.settings, text: settings, mode: 0o600 }] : []),
        ...(authority === null ? [] : [{ path: agentFiles.authority, text: authority }]),
      ]),
    );
    note(await pinReleaseKey());
  });
}

/** Writes the token, for root alone; it is removed once the host has joined. */
async function writeToken(token: string | null): Promise<Undo | null> {
  return token === null ? null : writeWhole({ path: agentFiles.joinToken, text: `${token}\n`, mode: 0o600 });
}

/** Resolves once the agent has told systemd that it serves, for which it has joined. */
async function startAgent(isChanged: boolean, isRunning: boolean): Promise<Undo | null> {
  const isCurrent = isRunning && (await findOtherProgram(agentUnit, places.agent)) === null;
  if (!isCurrent || isChanged) await startUnit(agentUnit, { timeoutMs: startTimeoutMs });
  else if (!(await enableUnits([agentUnit]))) return null;
  return async () => {};
}
