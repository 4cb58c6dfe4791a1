/** `install all`: central, the gateway and a host on this one machine, as a cluster begins. */

import { hostname } from "node:os";
import { createClient } from "@tijolo/protocol";
import { apiUrlOf } from "../client/server-url.ts";
import { readCentralSettings } from "./central/central-settings.ts";
import { dialable } from "./dialable.ts";
import { installCentral, type CentralRequest } from "./central/install-central.ts";
import { checkHost, installHost } from "./host/install-host.ts";
import type { JoiningRequest } from "./joining.ts";
import { findOwnPackages } from "./packages/package-source.ts";
import { centralFiles } from "./places.ts";
import { readOwn } from "./read-own.ts";

export interface AllRequest extends CentralRequest {
  /** Returns the environment with the names of the cluster, which a person may be asked for. */
  nameCluster: () => Promise<CentralRequest["environment"]>;
  /** Asks whether to go on, once the plan is shown. */
  confirm: (plan: string) => Promise<boolean>;
}

/**
 * Resolves with the number of steps that changed something; null when the person does not go on. A machine that
 * cannot be a host is told so before anything is changed.
 */
export async function installAll(request: AllRequest): Promise<number | null> {
  const { messages, environment, confirm } = request;
  const { listen } = await readCentralSettings(environment);
  const centralUrl = `http://${dialable(listen.api)}`;
  const host: JoiningRequest = {
    centralUrl,
    authorityFile: null,
    tokenFile: null,
    packagesFile: null,
    environment,
    askToken: () => makeToken(centralUrl, messages.install.noOperatorToken),
    confirm: async () => true,
  };
  const { packages } = await checkHost(request, host);
  const named = await request.nameCluster();
  if (!(await confirm(messages.install.allPlan(hostname(), packages.join(" "))))) return null;
  const ofCentral = await installCentral({ ...request, environment: named });
  const afterFailure = messages.install.centralStays;
  const ofHost = await installHost(
    { ...request, afterFailure },
    { ...host, packagesFile: await findOwnPackages() },
  );
  return ofCentral + (ofHost ?? 0);
}

/** Makes a join token as the first operator, whose own token central's first start has left behind. */
async function makeToken(centralUrl: string, missing: (file: string) => string): Promise<string> {
  const file = centralFiles.firstOperatorToken;
  const operator = await readOwn(file).catch((cause: unknown) => {
    throw new Error(missing(file), { cause });
  });
  const client = createClient({ baseUrl: apiUrlOf(centralUrl), token: operator.trim(), fetch });
  const { token } = await client.createJoinToken({ body: {} });
  return token;
}
