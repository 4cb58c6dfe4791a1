/** Holds the checks of `tijolo doctor` on a machine with a gateway. */

import { X509Certificate } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { dialable } from "../install/dialable.ts";
import { readGatewaySettings } from "../install/gateway/gateway-settings.ts";
import { gatewayUnit } from "../install/gateway/gateway-unit.ts";
import { hasFailed, isRenewedDaily, serviceOf, timerOf } from "../install/daily-renewal.ts";
import { gatewayFiles, places } from "../install/places.ts";
import {
  checkPin,
  checkPrivate,
  commonChecks,
  untilEnd,
  ok,
  warn,
  type Check,
  type CheckRelease,
  type CheckResult,
} from "./check.ts";

const answerTimeoutMs = 5_000;

export function gatewayChecks(checkRelease: CheckRelease): Check[] {
  const part = "gateway" as const;
  const isElsewhere = existsSync(places.gateway);
  const tree = isElsewhere ? places.gateway : places.central;
  return [
    ...commonChecks(part, { tree, unit: gatewayUnit, data: gatewayFiles.data, checkRelease }),
    { part, id: "visits", run: checkVisits },
    { part, id: "certificates", run: () => checkCertificates(join(gatewayFiles.data, "certificates")) },
    { part, id: "gatewayKey", run: () => checkPrivate(join(gatewayFiles.data, "identity.pem")) },
    { part, id: "haproxyRenewal", run: checkRenewal },
    ...(isElsewhere ? [{ part, id: "pin", run: () => checkPin(tree) } as const] : []),
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

/** Looks at the certificate that ends first, of those that the gateway serves: a file each, as HAProxy reads it. */
export async function checkCertificates(directory: string, nowMs = Date.now()): Promise<CheckResult | null> {
  let first: X509Certificate | undefined;
  for (const name of await readdir(directory).catch(() => [])) {
    if (!name.endsWith(".pem")) continue;
    const each = new X509Certificate(await readFile(join(directory, name)));
    if (first === undefined || Date.parse(each.validTo) < Date.parse(first.validTo)) first = each;
  }
  if (first === undefined) return null;
  return untilEnd(first, { name: first.subjectAltName ?? first.subject, nowMs });
}

/** Where the HAProxy is the machine's own, the renewal has nothing to do and does not fail. */
async function checkRenewal(): Promise<CheckResult> {
  const haproxy = { name: "haproxy" } as const;
  if (!(await isRenewedDaily(haproxy))) return warn(timerOf(haproxy));
  return (await hasFailed(haproxy)) ? warn(serviceOf(haproxy)) : ok(timerOf(haproxy));
}
