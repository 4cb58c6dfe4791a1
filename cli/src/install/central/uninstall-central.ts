/** `install uninstall central`: removes the service. The data stays unless `--purge` says otherwise. */

import { readdir, readlink, rm } from "node:fs/promises";
import { join } from "node:path";
import { centralUnits } from "./central-units.ts";
import { endRenewal } from "../daily-renewal.ts";
import { removeCountryTables } from "../packages/country-tables.ts";
import { removeGateway } from "../gateway/gateway-steps.ts";
import { centralFiles, centralUser, places } from "../places.ts";
import { runProgram, succeeds } from "../run-program.ts";

/**
 * Removes what `install central` made, the gateway with it. With `purge` also the data, the settings, the keys and
 * the user.
 */
export async function uninstallCentral({ purge }: { purge: boolean }): Promise<void> {
  await removeGateway({ purge });
  await runProgram(["systemctl", "disable", "--quiet", "--now", ...centralUnits], { okCodes: [0, 1, 5] });
  for (const unit of centralUnits) await rm(join(places.units, unit), { force: true });
  await runProgram(["systemctl", "daemon-reload"]);
  const command = `${places.commands}/tijolo`;
  if ((await readlink(command).catch(() => "")) === `${places.central}/bin/tijolo`) await rm(command);
  await rm(places.central, { force: true });
  await endRenewal({ name: "countries" });
  await removeCountryTables();
  if (purge) {
    for (const path of [
      centralFiles.data,
      centralFiles.installFiles,
      centralFiles.settings,
      centralFiles.masterKeys,
    ])
      await rm(path, { recursive: true, force: true });
    if (await succeeds(["getent", "passwd", centralUser])) await runProgram(["userdel", centralUser]);
  }
  await removeUnusedTrees();
}

/** Removes the releases that no link leads to, and the folders that are empty then. */
export async function removeUnusedTrees(): Promise<void> {
  const used = await Promise.all(
    [places.central, places.agent, places.gateway].map((place) => readlink(place).catch(() => "")),
  );
  for (const name of await readdir(places.releases).catch(() => [])) {
    const tree = join(places.releases, name);
    if (!used.includes(tree)) await rm(tree, { recursive: true, force: true });
  }
}
