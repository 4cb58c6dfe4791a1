/** Holds the checks of `tijolo doctor` on a machine with a gateway. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { dialable } from "../install/dialable.ts";
import { readGatewaySettings } from "../install/gateway/gateway-settings.ts";
import { gatewayUnit } from "../install/gateway/gateway-unit.ts";
import { gatewayFiles, places } from "../install/places.ts";
import { checkPrivate } from "./central-checks.ts";
import { commonChecks, ok, type Check, type CheckResult } from "./check.ts";

const answerTimeoutMs = 5_000;

export function gatewayChecks(): Check[] {
  const part = "gateway" as const;
  const tree = existsSync(places.gateway) ? places.gateway : places.central;
  return [
    ...commonChecks(part, { tree, unit: gatewayUnit, data: gatewayFiles.data }),
    { part, id: "visits", run: checkVisits },
    { part, id: "gatewayKey", run: () => checkPrivate(join(gatewayFiles.data, "identity.pem")) },
  ];
}

/** Any answer will do: the address of this machine is the name of no site. */
async function checkVisits(): Promise<CheckResult> {
  const { httpListen } = await readGatewaySettings({});
  const url = `http://${dialable(httpListen)}/`;
  const signal = AbortSignal.timeout(answerTimeoutMs);
  const { status } = await fetch(url, { redirect: "manual", signal });
  return ok(`${url}: ${status}`);
}
