/** `tijolo-agent uninstall`: removes the agent. The data stays unless `--purge` says otherwise. */

import { readdir, readlink, rm } from "node:fs/promises";
import { join } from "node:path";
import { readLedger } from "./agent-ledger.ts";
import { agentUnit } from "./agent-unit.ts";
import { endProjects, unmountData } from "./end-projects.ts";
import { agentFiles, places } from "../places.ts";
import { forgetReleaseKey } from "../release-pin.ts";
import { runProgram } from "../run-program.ts";
import { removeUnusedTrees } from "../central/uninstall-central.ts";

/** Throws while projects are placed on this host, unless they end with it: `refusal` says how many. */
export async function uninstallHost({
  purge,
  withProjects,
  refusal,
}: {
  purge: boolean;
  /** Ends the projects' containers: for a host that central has revoked, or whose central is gone for good. */
  withProjects: boolean;
  refusal: (projects: number) => string;
}): Promise<void> {
  const { projects } = readLedger();
  if (projects > 0 && !withProjects) throw new Error(refusal(projects));
  await runProgram(["systemctl", "disable", "--quiet", "--now", agentUnit], { okCodes: [0, 1, 5] });
  await rm(join(places.units, agentUnit), { force: true });
  await endProjects();
  await runProgram(["systemctl", "daemon-reload"]);
  await removeMesh();
  const command = `${places.commands}/tijolo-agent`;
  if ((await readlink(command).catch(() => "")) === `${places.agent}/bin/tijolo-agent`) await rm(command);
  await rm(places.agent, { force: true });
  await rm(agentFiles.joinToken, { force: true });
  if (purge) {
    await unmountData();
    for (const path of [agentFiles.data, agentFiles.settings, agentFiles.authority])
      await rm(path, { recursive: true, force: true });
    await forgetReleaseKey();
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
