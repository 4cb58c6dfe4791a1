/** Lists the gateway's reconcilers: they bring HAProxy back to the desired state, whatever has changed it. */

import type { Reconciler } from "@tijolo/protocol/kit";
import type { GatewayCertificates } from "./certificates/gateway-certificates.ts";
import type { Haproxy } from "./haproxy/haproxy.ts";
import type { RouteFollower } from "./routes/route-follower.ts";
import type { RouteMap } from "./routes/route-map.ts";

const compareEveryMs = 60_000;
const probeEveryMs = 5_000;
/** Milliseconds between two looks whether HAProxy was updated. */
const renewEveryMs = 60 * 60_000;

export interface ReconciledParts {
  routes: RouteFollower;
  map: RouteMap;
  certificates: GatewayCertificates;
  haproxy: Haproxy;
}

export function gatewayReconcilers({ routes, map, certificates, haproxy }: ReconciledParts): Reconciler[] {
  const compare = async () => {
    if (!routes.isServing) return;
    await map.compare();
    await certificates.compare();
  };
  const probeFarHosts = async () => {
    if (routes.isServing) await map.probeFarHosts();
  };
  /** Another HAProxy has read the files a moment ago: what has changed since reaches it here. */
  const renew = async () => {
    await haproxy.renew();
    await compare();
  };
  return [
    { name: "compare-routes", everyMs: compareEveryMs, run: compare },
    { name: "probe-far-hosts", everyMs: probeEveryMs, run: probeFarHosts },
    { name: "renew-haproxy", everyMs: renewEveryMs, run: renew },
  ];
}
