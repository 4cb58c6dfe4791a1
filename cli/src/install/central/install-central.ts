/**
 * `install central`: makes this machine's central, and a gateway before it, services of systemd, with the data of
 * `npm start`.
 */

import { poll } from "@tijolo/protocol/kit/poll";
import { takePlace } from "../../start/running-start.ts";
import { centralUnit, centralUnits, textsOfCentralUnits } from "./central-units.ts";
import { readCentralSettings } from "./central-settings.ts";
import { bringCountryTables, countriesRenewal } from "../packages/country-tables.ts";
import { renewDaily } from "../daily-renewal.ts";
import { dialable } from "../dialable.ts";
import { linkTo } from "../file-steps.ts";
import { findPackageSets, importPackages } from "../packages/import-packages.ts";
import { findOwnPackages } from "../packages/package-source.ts";
import { tellDataElsewhere } from "./data-elsewhere.ts";
import { giveData } from "./give-data.ts";
import { importReleases } from "./import-releases.ts";
import { moveMasterKeys } from "./move-master-keys.ts";
import { centralFiles, centralUser, places } from "../places.ts";
import { readGatewaySettings } from "../gateway/gateway-settings.ts";
import { provideHaproxy } from "../packages/haproxy-package.ts";
import {
  checkGatewayAddresses,
  gatewaySteps,
  isGatewayUp,
  restartGateway,
  tokenOfCentral,
} from "../gateway/gateway-steps.ts";
import { checkCentralMachine } from "../preflight.ts";
import { placeTree, useTree } from "../release-tree.ts";
import { runProgram, succeeds } from "../run-program.ts";
import { enableUnits, lastLines } from "../start-unit.ts";
import { removeUnit, writeUnit } from "../write-unit.ts";
import { Changes, inParts, runSteps, type Step, type StepContext, type Undo } from "../steps.ts";

const readyTimeoutMs = 60_000;
const answerTimeoutMs = 5_000;

export interface CentralRequest extends StepContext {
  environment: Readonly<Record<string, string | undefined>>;
  /** False where visitors arrive at other machines. */
  hasGateway: boolean;
}

/** Resolves with the number of steps that changed something. */
export async function installCentral(request: CentralRequest): Promise<number> {
  const { messages, environment, hasGateway } = request;
  await checkCentralMachine(messages);
  await tellDataElsewhere(environment, request);
  const gateway = hasGateway ? await readGatewaySettings(environment) : null;
  if (gateway !== null) await checkGatewayAddresses(gateway, messages.install.portTakenAtCentral);
  const settings = await readCentralSettings(environment, gateway);
  const units = textsOfCentralUnits(settings.listen);
  const names = [...units.keys()];
  const changes = new Changes();
  let areSocketsChanged = false;
  const packageSets = await findPackageSets();
  const taken = await takePlace(places.data);
  if ("pid" in taken) throw new Error(messages.start.runsAlready(taken.pid, places.data));
  await using _place = taken.place;
  const steps: Step[] = [
    ...(packageSets.length === 0
      ? []
      : [{ name: "hostPackages", run: () => importPackages(packageSets, messages) } as const]),
    ...(gateway === null
      ? []
      : [
          {
            name: "haproxy",
            run: changes.noting(async () => provideHaproxy(messages, await findOwnPackages())),
          } as const,
        ]),
    { name: "tree", run: changes.noting(placeTree) },
    { name: "user", run: makeUser },
    { name: "settings", run: changes.noting(() => settings.write()) },
    { name: "masterKeys", run: changes.noting(() => moveMasterKeys(environment)) },
    { name: "releases", run: () => importReleases() },
    { name: "countries", run: () => bringCountryTables(request) },
    { name: "data", run: giveData },
    { name: "link", run: changes.noting(() => useTree(places.central)) },
    { name: "command", run: () => linkTo(`${places.commands}/tijolo`, `${places.central}/bin/tijolo`) },
    {
      name: "units",
      run: changes.noting(() =>
        writeUnits(units, (unit) => (areSocketsChanged ||= unit.endsWith(".socket"))),
      ),
    },
    { name: "countriesRenewal", run: () => renewDaily(countriesRenewal(places.central), places.central) },
    {
      name: "service",
      run: () => startCentral({ isChanged: changes.isAny, areSocketsChanged }, names, settings.listen.api),
    },
    ...(gateway === null
      ? []
      : gatewaySteps(gateway, {
          unit: {
            centralUrl: `http://${dialable(settings.listen.api)}`,
            tree: places.central,
            hasAuthority: false,
          },
          authority: null,
          token: tokenOfCentral,
          changes,
        })),
  ];
  const wasRunning = await succeeds(["systemctl", "is-active", "--quiet", centralUnit]);
  const wasGatewayUp = await isGatewayUp();
  const startAgain = async () => {
    if (wasRunning) {
      await runProgram(["systemctl", "restart", ...socketsFirst(names)]);
      const lines = await findSilence(settings.listen.api);
      if (lines !== null) throw new Error(messages.install.centralStaysDown(lines));
    }
    if (wasGatewayUp) await restartGateway();
  };
  return await runSteps({ steps, afterUndo: startAgain }, request);
}

async function makeUser(): Promise<Undo | null> {
  if (await succeeds(["getent", "passwd", centralUser])) return null;
  await runProgram([
    "useradd",
    "--system",
    "--user-group",
    "--no-create-home",
    "--home-dir",
    centralFiles.data,
    "--shell",
    "/usr/sbin/nologin",
    centralUser,
  ]);
  return async () => void (await runProgram(["userdel", centralUser]));
}

/** Writes the units, and removes those that are not wanted any more. `onChange` hears of each that was another. */
function writeUnits(
  texts: ReadonlyMap<string, string>,
  onChange: (unit: string) => void,
): Promise<Undo | null> {
  return inParts(async (note) => {
    for (const unit of centralUnits) {
      const text = texts.get(unit);
      const undo = await (text === undefined ? removeUnit(unit) : writeUnit(unit, text));
      if (undo !== null) onChange(unit);
      note(undo);
    }
  });
}

/**
 * Starts central anew when something changed or it does not run, and waits until it answers. Its sockets stay
 * open meanwhile, so that connections wait, unless their own units changed.
 */
async function startCentral(
  { isChanged, areSocketsChanged }: { isChanged: boolean; areSocketsChanged: boolean },
  units: readonly string[],
  address: string,
): Promise<Undo | null> {
  const isRunning = await succeeds(["systemctl", "is-active", "--quiet", centralUnit]);
  const wasEnabled = !(await enableUnits(units));
  if (isRunning && !isChanged) return wasEnabled ? null : async () => {};
  if (areSocketsChanged) {
    await runProgram(["systemctl", "stop", centralUnit]);
    await runProgram(["systemctl", "restart", ...socketsFirst(units)]);
  } else await runProgram(["systemctl", "restart", centralUnit]);
  const lines = await findSilence(address);
  if (lines !== null) throw new Error(lines);
  return async () => {};
}

/** The sockets before the service that they belong to. */
function socketsFirst(units: readonly string[]): string[] {
  return [...units.filter((name) => name !== centralUnit), centralUnit];
}

/** Waits until central answers; returns null then, and otherwise the last lines of its log. */
async function findSilence(address: string): Promise<string | null> {
  const url = `http://${dialable(address)}/api/status`;
  // systemd takes the connection also while central does not come up.
  const answers = async () =>
    (await fetch(url, { signal: AbortSignal.timeout(answerTimeoutMs) }).catch(() => null))?.ok === true;
  if (await poll(answers, { timeoutMs: readyTimeoutMs, everyMs: 200 })) return null;
  return lastLines(centralUnit, 20);
}
