/** `tijolo-agent uninstall`: removes the agent. The data stays unless `--purge` says otherwise. */

import { readdir, readlink, rm } from "node:fs/promises";
import { join } from "node:path";
import { readLedger } from "./agent-ledger.ts";
import { agentUnit } from "./agent-unit.ts";
import { agentFiles, places } from "../places.ts";
import { runProgram } from "../run-program.ts";
import { removeUnusedTrees } from "../central/uninstall-central.ts";

/** Throws while projects are placed on this host: `refusal` says how many. */
export async function uninstallHost({
  purge,
  refusal,
}: {
  purge: boolean;
  refusal: (projects: number) => string;
}): Promise<void> {
  const { projects } = readLedger();
  if (projects > 0) throw new Error(refusal(projects));
  await runProgram(["systemctl", "disable", "--quiet", "--now", agentUnit], { okCodes: [0, 1, 5] });
  await rm(join(places.units, agentUnit), { force: true });
  await runProgram(["systemctl", "stop", "main-projects.service"], { okCodes: [0, 1, 5] });
  await runProgram(["systemctl", "daemon-reload"]);
  await removeMesh();
  const command = `${places.commands}/tijolo-agent`;
  if ((await readlink(command).catch(() => "")) === `${places.agent}/bin/tijolo-agent`) await rm(command);
  await rm(places.agent, { force: true });
  await rm(agentFiles.joinToken, { force: true });
  if (purge) {
    for (const path of [agentFiles.data, agentFiles.settings, agentFiles.authority, agentFiles.releaseKey])
      await rm(path, { recursive: true, force: true });
  }
  await removeUnusedTrees();
}

/**
 * Removes the interface of the mesh, which outlives the agent. That of another agent of this machine is made again
 * by it within seconds.
 */
async function removeMesh(): Promise<void> {
  for (const name of await readdir("/sys/class/net"))
    if (/^tw[0-9a-z]{5}$/.test(name))
      await runProgram(["ip", "link", "delete", "dev", name], { okCodes: [0, 1] });
}
