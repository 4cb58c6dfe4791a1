/**
 * `install central`: makes this machine's central, and a gateway before it, services of systemd, with the data of
 * `npm start`.
 */

import { takePlace } from "../../start/running-start.ts";
import { isGatewayUp, restartGateway, checkGatewayAddresses } from "../gateway/gateway-steps.ts";
import { readGatewaySettings } from "../gateway/gateway-settings.ts";
import { findPackageSets } from "../packages/import-packages.ts";
import { places } from "../places.ts";
import { checkCentralMachine } from "../preflight.ts";
import { runSteps, type StepContext } from "../steps.ts";
import { readCentralSettings } from "./central-settings.ts";
import { centralSteps, type CentralPlan } from "./central-steps.ts";
import { checkDataElsewhere } from "./data-elsewhere.ts";
import { isCentralUp, restartCentral } from "./start-central.ts";

export interface CentralRequest extends StepContext {
  environment: Readonly<Record<string, string | undefined>>;
  /** False where visitors arrive at other machines. */
  hasGateway: boolean;
}

/** Resolves with the number of steps that changed something. */
export async function installCentral(request: CentralRequest): Promise<number> {
  const { messages } = request;
  const plan = await checkCentral(request);
  const taken = await takePlace(places.data);
  if ("pid" in taken) throw new Error(messages.start.runsAlready(taken.pid, places.data));
  await using _place = taken.place;
  const steps = centralSteps(plan, request);
  const wasUp = { central: await isCentralUp(), gateway: await isGatewayUp() };
  const afterUndo = async () => {
    if (wasUp.central) await restartCentral(plan.settings.listen, messages.install.centralStaysDown);
    if (wasUp.gateway) await restartGateway();
  };
  return await runSteps({ steps, afterUndo }, request);
}

/** Throws when this machine cannot be central's; changes nothing. */
async function checkCentral(request: CentralRequest): Promise<CentralPlan> {
  const { messages, environment, hasGateway } = request;
  await checkCentralMachine(messages);
  await checkDataElsewhere(environment, request);
  const gateway = hasGateway ? await readGatewaySettings(environment) : null;
  if (gateway !== null) await checkGatewayAddresses(gateway, messages.install.portTakenAtCentral);
  const settings = await readCentralSettings(environment, gateway);
  return { environment, settings, gateway, packageSets: await findPackageSets() };
}
