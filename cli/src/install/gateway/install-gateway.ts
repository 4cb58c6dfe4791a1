/** `install gateway`: makes this machine a gateway of a central elsewhere, as a service of systemd. */

import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { centralUnit } from "../central/central-units.ts";
import { clockProblem } from "../host/host-preflight.ts";
import { assertAddress, readAuthority, readToken, type JoiningRequest } from "../joining.ts";
import { provideHaproxy } from "../packages/haproxy-package.ts";
import { gatewayFiles, places } from "../places.ts";
import { commonProblems } from "../preflight.ts";
import { forgetReleaseKey, pinProblems, pinReleaseKey } from "../release-pin.ts";
import { placeTree, useTree } from "../release-tree.ts";
import { Changes, runSteps, type Step, type StepContext } from "../steps.ts";
import { removeUnusedTrees } from "../central/uninstall-central.ts";
import { readGatewaySettings } from "./gateway-settings.ts";
import {
  checkGatewayAddresses,
  gatewaySteps,
  hasJoined,
  isGatewayUp,
  removeGateway,
  restartGateway,
} from "./gateway-steps.ts";

/** Resolves with the number of steps that changed something; null when the person does not go on. */
export async function installGateway(context: StepContext, request: JoiningRequest): Promise<number | null> {
  const { messages } = context;
  const { install: texts } = messages;
  const { centralUrl } = request;
  if (existsSync(join(places.units, centralUnit))) throw new Error(texts.gatewayIsCentrals);
  assertAddress(request, texts.plainHttp(centralUrl, "gateway"));
  const authority = await readAuthority(request, texts);
  const problems = [...(await commonProblems(messages, places.gateway)), ...(await pinProblems(messages))];
  if (authority !== null) problems.push(...(await clockProblem(messages, centralUrl, authority)));
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const settings = await readGatewaySettings(request.environment);
  await checkGatewayAddresses(settings, texts.portTaken);
  const { httpListen, httpsListen } = settings;
  const addresses = [httpListen, httpsListen].filter((address) => address !== null).join(", ");
  if (!(await request.confirm(texts.gatewayPlan(hostname(), centralUrl, addresses)))) return null;
  const token = (await hasJoined()) ? null : await readToken(request, "tjg_", texts);
  const changes = new Changes();
  const wasRunning = await isGatewayUp();
  const steps: (Step | null)[] = [
    { name: "haproxy", run: changes.noting(() => provideHaproxy(messages, request.packagesFile)) },
    { name: "tree", run: changes.noting(placeTree) },
    { name: "releaseKey", run: () => pinReleaseKey() },
    { name: "link", run: changes.noting(() => useTree(places.gateway)) },
    ...gatewaySteps(settings, {
      unit: { centralUrl, tree: places.gateway, hasAuthority: authority !== null },
      authority,
      token: async () => token,
      changes,
    }),
  ];
  const afterUndo = async () => {
    if (wasRunning) await restartGateway();
  };
  return runSteps({ steps, afterUndo }, context);
}

/** Removes what `install gateway` made. With `purge` also the data, the settings and the key. */
export async function uninstallGateway(
  { messages: { install: texts } }: Pick<StepContext, "messages">,
  { purge }: { purge: boolean },
): Promise<void> {
  if (existsSync(join(places.units, centralUnit))) throw new Error(texts.gatewayIsCentrals);
  await removeGateway({ purge });
  if (purge) {
    await rm(gatewayFiles.authority, { force: true });
    await forgetReleaseKey();
  }
  await rm(places.gateway, { force: true });
  await removeUnusedTrees();
}
