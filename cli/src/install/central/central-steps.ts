/** Lists the steps of `install central`, and carries out those that are its own. */

import type { PackageSet } from "@tijolo/protocol";
import { renewDaily } from "../daily-renewal.ts";
import { dialable } from "../dialable.ts";
import { linkTo } from "../file-steps.ts";
import type { GatewaySettings } from "../gateway/gateway-settings.ts";
import { gatewaySteps, tokenOfCentral } from "../gateway/gateway-steps.ts";
import { bringCountryTables, countriesRenewal } from "../packages/country-tables.ts";
import { provideHaproxy } from "../packages/haproxy-package.ts";
import { importPackages } from "../packages/import-packages.ts";
import { findOwnPackages } from "../packages/package-source.ts";
import { centralFiles, centralUser, places } from "../places.ts";
import { placeTree, useTree } from "../release-tree.ts";
import { runProgram, succeeds } from "../run-program.ts";
import { Changes, inParts, type Step, type StepContext, type Undo } from "../steps.ts";
import { removeUnit, writeUnit } from "../write-unit.ts";
import type { CentralSettings } from "./central-settings.ts";
import { centralUnits, textsOfCentralUnits } from "./central-units.ts";
import { giveData } from "./give-data.ts";
import { importReleases } from "./import-releases.ts";
import { moveMasterKeys } from "./move-master-keys.ts";
import { startCentral } from "./start-central.ts";

/** Holds what the checks have found, before anything is changed. */
export interface CentralPlan {
  environment: Readonly<Record<string, string | undefined>>;
  settings: CentralSettings;
  /** Null where visitors arrive at other machines. */
  gateway: GatewaySettings | null;
  /** Sets of Debian packages for hosts that lie beside the release. */
  packageSets: readonly PackageSet[];
}

export function centralSteps(
  { environment, settings, gateway, packageSets }: CentralPlan,
  context: StepContext,
): (Step | null)[] {
  const { messages } = context;
  const units = textsOfCentralUnits(settings.listen);
  const changes = new Changes();
  let areSocketsChanged = false;
  const onUnitChange = (unit: string) => (areSocketsChanged ||= unit.endsWith(".socket"));
  const centralUrl = `http://${dialable(settings.listen.api)}`;
  return [
    packageSets.length === 0
      ? null
      : { name: "hostPackages", run: () => importPackages(packageSets, messages) },
    gateway === null
      ? null
      : {
          name: "haproxy",
          run: changes.noting(async () => provideHaproxy(messages, await findOwnPackages())),
        },
    { name: "tree", run: changes.noting(placeTree) },
    { name: "user", run: makeUser },
    { name: "settings", run: changes.noting(() => settings.write()) },
    { name: "masterKeys", run: changes.noting(() => moveMasterKeys(environment)) },
    { name: "releases", run: () => importReleases() },
    { name: "countries", run: () => bringCountryTables(context) },
    { name: "data", run: giveData },
    { name: "link", run: changes.noting(() => useTree(places.central)) },
    { name: "command", run: () => linkTo(`${places.commands}/tijolo`, `${places.central}/bin/tijolo`) },
    { name: "units", run: changes.noting(() => writeUnits(units, onUnitChange)) },
    { name: "countriesRenewal", run: () => renewDaily(countriesRenewal(places.central), places.central) },
    {
      name: "service",
      run: () => startCentral(settings.listen, { isChanged: changes.isAny, areSocketsChanged }),
    },
    ...(gateway === null
      ? []
      : gatewaySteps(gateway, {
          unit: { centralUrl, tree: places.central, hasAuthority: false },
          authority: null,
          token: tokenOfCentral,
          changes,
        })),
  ];
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

/**
 * Writes the units, and removes those that the settings no longer ask for. Calls `onChange` with the name of each
 * changed unit.
 */
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
