/** Obtains, on a host run by systemd, a unit whose part of the cgroup tree systemd delegates to the agent. */

import { join } from "node:path";
import { poll } from "@tijolo/protocol/kit";
import { isTreePopulated } from "./cgroup-tree.ts";
import { projectsWeight, weightBesideServices } from "./projects-weight.ts";
import { exec } from "../exec.ts";

const heldDeadlineMs = 10_000;
/** The slice of all that Tijolo runs on the machine: the projects' unit here, and the services' own units. */
const slice = "tijolo.slice";

/**
 * Returns the directory of the unit `<name>-projects.service` in the unified hierarchy mounted at `mount`;
 * starts the unit unless it is active. The unit outlives the agent; its own process sits in a subgroup,
 * because a group with members cannot delegate controllers.
 */
export async function delegatedDirectory(mount: string, name: string): Promise<string> {
  const unit = `${name}-projects.service`;
  const active = await exec(["systemctl", "is-active", "--quiet", unit], { okCodes: [0, 1, 2, 3, 4] });
  if (active.code !== 0) {
    await exec(["systemctl", "reset-failed", unit], { okCodes: [0, 1, 5] });
    const properties = [
      "Delegate=yes",
      "TasksMax=infinity",
      "OOMPolicy=continue",
      "TimeoutStopSec=15",
      "Type=exec",
    ];
    await exec([
      "systemd-run",
      "--quiet",
      "--collect",
      `--unit=${unit}`,
      `--slice=${slice}`,
      `--description=Projects of the Tijolo agent ${name}`,
      ...properties.flatMap((property) => ["-p", property]),
      "/bin/sh",
      join(import.meta.dirname, "hold-cgroup.sh"),
      mount,
    ]);
  }
  await weigh(slice, projectsWeight());
  await weigh(unit, weightBesideServices());
  const shown = await exec(["systemctl", "show", "--property=ControlGroup", "--value", unit]);
  const path = shown.stdout.trim();
  if (path === "") throw new Error(`systemd names no cgroup for ${unit}`);
  await untilHeld(join(mount, path));
  return join(mount, path);
}

/**
 * Weighs a unit against its siblings, until the unit or the machine is started again. What an operator has set
 * stays (`systemctl set-property tijolo.slice CPUWeight=100`).
 */
async function weigh(unit: string, weight: number): Promise<void> {
  const shown = await exec(["systemctl", "show", "--property=CPUWeight", "--value", unit]);
  if (shown.stdout.trim() !== "[not set]") return;
  await exec(["systemctl", "set-property", "--runtime", unit, `CPUWeight=${weight}`]);
}

/** Waits until the unit's process is in its subgroup, because a group delegates controllers only then. */
async function untilHeld(directory: string): Promise<void> {
  const isHeld = () => isTreePopulated(join(directory, "holder"));
  if (!(await poll(isHeld, { timeoutMs: heldDeadlineMs, everyMs: 10 })))
    throw new Error(`no process holds ${directory}`);
}
