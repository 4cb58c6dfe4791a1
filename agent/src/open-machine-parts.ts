/** Opens the parts of the machine that the agent's settings ask for: real, without isolation, or simulated. */

import type { Logger } from "pino";
import type { AgentConfig } from "./config.ts";
import { hostEnvironment } from "./host/exec.ts";
import { overriddenRecipe } from "./images/overridden-recipe.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { openMachine, simulateMachine, type MachineParts } from "./machine-parts.ts";
import { uidCount } from "./runtime/nspawn/nspawn-argv.ts";
import { openProcessMachine, type ProcessMachineOptions } from "./runtime/process/process-machine.ts";
import type { SimulatedMachine } from "./runtime/simulated.ts";

export interface MachineSources {
  ledger: Ledger;
  say: ProcessMachineOptions["say"];
  /** Called when a static site is served from now on. */
  onServed: (projectId: string) => void;
  clock: { now(): number };
  logger: Logger;
  /** Runs containers on this simulated machine instead of the real one. */
  simulated: SimulatedMachine | undefined;
  /** Range of addresses that central gave this host when it joined just now. */
  joinedRange: string | undefined;
}

/** Opens the parts that touch the machine. Disposing `resources` closes them; the projects stay up. */
export async function openMachineParts(
  config: AgentConfig,
  { ledger, say, onServed, clock, logger, simulated, joinedRange }: MachineSources,
  resources: AsyncDisposableStack,
): Promise<MachineParts> {
  const options = {
    config,
    findRecipe: overriddenRecipe(() => ledger.imageOverrides()),
    onServed,
    logger,
    joinedRange,
    clock: { now: () => new Date(clock.now()) },
    quotaIdOf: (projectId: string) => config.uidStart + ledger.uidIndexOf(projectId) * uidCount,
  };
  if (simulated !== undefined) return simulateMachine(simulated, options);
  if (config.runtime !== "process") return openMachine(options, resources);
  const hostPath = process.env["PATH"] ?? hostEnvironment["PATH"] ?? "";
  return openProcessMachine({ ...options, say, hostPath }, resources);
}
