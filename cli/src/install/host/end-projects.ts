/** Ends the containers of a host that is taken out with its projects, and releases their disks. */

import { readFile } from "node:fs/promises";
import { parseEnv } from "node:util";
import { agentFiles } from "../places.ts";
import { runProgram } from "../run-program.ts";

/** Ends all containers: they live in a unit of their own, which outlives the agent. The agent has ended before. */
export async function endProjects(): Promise<void> {
  const settings = parseEnv(await readFile(agentFiles.settings, "utf8").catch(() => ""));
  const unit = projectsUnitOf(settings["TIJOLO_AGENT_NAME"]);
  await runProgram(["systemctl", "stop", unit], { okCodes: [0, 1, 5] });
}

/** Unmounts what is mounted in the agent's data, so that it can be deleted. The disks' loop devices end with it. */
export async function unmountData(): Promise<void> {
  const mounts = mountPointsBelow(await readFile("/proc/self/mountinfo", "utf8"), agentFiles.data);
  for (const mountPoint of mounts) await runProgram(["umount", mountPoint]);
}

/** Returns the unit that holds the containers of the agent of this name. */
export function projectsUnitOf(agentName = "main"): string {
  return `tijolo-${agentName}-projects.service`;
}

/** Returns the mount points at or below a directory, of the text of `mountinfo`; the last mounted comes first. */
export function mountPointsBelow(mountinfo: string, directory: string): string[] {
  const points = mountinfo
    .split("\n")
    .flatMap((line) => line.split(" ")[4] ?? [])
    .map((escaped) =>
      escaped.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8))),
    );
  return points.filter((point) => point === directory || point.startsWith(`${directory}/`)).toReversed();
}
