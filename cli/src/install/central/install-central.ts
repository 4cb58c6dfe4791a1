/**
 * `install central`: makes this machine's central, and a gateway before it, services of systemd, with the data of
 * `npm start`.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { poll } from "@tijolo/protocol/kit/poll";
import { takePlace } from "../../start/running-start.ts";
import { centralUnit, centralUnits, textsOfCentralUnits } from "./central-units.ts";
import { readCentralSettings } from "./central-settings.ts";
import { bringCountryTables } from "../packages/country-tables.ts";
import { dialable } from "../dialable.ts";
import { linkTo, writeAll } from "../file-steps.ts";
import { findPackageSets, importPackages } from "../packages/import-packages.ts";
import { findOwnPackages } from "../packages/package-source.ts";
import { giveData } from "./give-data.ts";
import { importReleases } from "./import-releases.ts";
import { moveMasterKeys } from "./move-master-keys.ts";
import { centralFiles, centralUser, places } from "../places.ts";
import { readGatewaySettings } from "../gateway/gateway-settings.ts";
import { provideHaproxy } from "../packages/haproxy-package.ts";
import { checkGatewayAddresses, gatewaySteps, tokenOfCentral } from "../gateway/gateway-steps.ts";
import { checkCentralMachine } from "../preflight.ts";
import { placeTree, useTree } from "../release-tree.ts";
import { runProgram, succeeds } from "../run-program.ts";
import { lastLines } from "../start-unit.ts";
import { Changes, runSteps, type Step, type StepContext, type Undo } from "../steps.ts";

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
  const gateway = hasGateway ? await readGatewaySettings(environment) : null;
  if (gateway !== null) await checkGatewayAddresses(gateway, messages.install.portTakenAtCentral);
  const settings = await readCentralSettings(environment, gateway);
  const units = textsOfCentralUnits(settings.listen);
  const names = [...units.keys()];
  const changes = new Changes();
  let areUnitsChanged = false;
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
    { name: "releases", run: importReleases },
    { name: "countries", run: () => bringCountryTables(request) },
    { name: "data", run: giveData },
    { name: "link", run: changes.noting(() => useTree(places.central)) },
    { name: "command", run: () => linkTo(`${places.commands}/tijolo`, `${places.central}/bin/tijolo`) },
    {
      name: "units",
      run: changes.noting(async () => {
        const undo = await writeUnits(units);
        areUnitsChanged = undo !== null;
        return undo;
      }),
    },
    {
      name: "service",
      run: () => startCentral({ isChanged: changes.isAny, areUnitsChanged }, names, settings.listen.api),
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
  const startAgain = async () => {
    if (wasRunning)
      await runProgram([
        "systemctl",
        "restart",
        ...names.filter((name) => name !== centralUnit),
        centralUnit,
      ]);
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

async function writeUnits(texts: ReadonlyMap<string, string>): Promise<Undo | null> {
  const isFirst = !existsSync(join(places.units, centralUnit));
  const undo = await writeAll([...texts].map(([name, text]) => ({ path: join(places.units, name), text })));
  if (undo === null) return null;
  await runProgram(["systemctl", "daemon-reload"]);
  return async () => {
    await runProgram(["systemctl", "stop", ...centralUnits], { okCodes: [0, 1, 5] });
    if (isFirst) await runProgram(["systemctl", "disable", ...centralUnits], { okCodes: [0, 1] });
    await undo();
    await runProgram(["systemctl", "daemon-reload"]);
  };
}

/**
 * Starts central anew when something changed or it does not run, and waits until it answers. Its sockets stay
 * open meanwhile, unless their units changed.
 */
async function startCentral(
  { isChanged, areUnitsChanged }: { isChanged: boolean; areUnitsChanged: boolean },
  units: readonly string[],
  address: string,
): Promise<Undo | null> {
  const isRunning = await succeeds(["systemctl", "is-active", "--quiet", centralUnit]);
  if (isRunning && !isChanged) return null;
  await runProgram(["systemctl", "enable", "--quiet", ...units]);
  if (areUnitsChanged) {
    await runProgram(["systemctl", "stop", centralUnit]);
    await runProgram(["systemctl", "restart", ...units.filter((name) => name !== centralUnit)]);
  }
  await runProgram(["systemctl", "restart", centralUnit]);
  const url = `http://${dialable(address)}/api/status`;
  // systemd takes the connection also while central does not come up.
  const answers = async () =>
    (await fetch(url, { signal: AbortSignal.timeout(answerTimeoutMs) }).catch(() => null))?.ok === true;
  if (await poll(answers, { timeoutMs: readyTimeoutMs, everyMs: 200 })) return async () => {};
  throw new Error(await lastLines(centralUnit, 20));
}
