/**
 * Opens the address at which other machines reach central over TLS: hosts and gateways for the link and for
 * installing, and gateways with visits that they do not carry themselves.
 */

import type { Server } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import { linkServerName } from "@tijolo/protocol/kit";
import { ensureAuthority, issueLocally } from "./app/certificates/local/local-authority.ts";
import { openPrivateKey } from "./app/certificates/new-certificate.ts";
import type { AppContext } from "./app/context.ts";
import { endEmpty } from "@tijolo/protocol/kit";
import type { FarVisits } from "./far-visits.ts";
import type { HostEndpoints } from "./host-endpoints.ts";
import { createLinkServer, renewCertificate, type LinkCertificate } from "./link/link-certificate.ts";

/** Time before a certificate's end when the next one is made. */
const renewAheadMs = 30 * 24 * 60 * 60 * 1000;
const renewEveryMs = 60 * 60 * 1000;

export interface LinkListener {
  server: Server;
  /** Makes the next certificate when the end of this one is near. */
  renewal: { name: string; everyMs: number; run(): Promise<void> };
}

/** Creates the server, which does not listen yet. */
export async function createLinkListener(
  app: AppContext,
  { hosts, visits }: { hosts: Pick<HostEndpoints, "serve" | "takeUpgrade">; visits: FarVisits },
): Promise<LinkListener> {
  let certificate = await newCertificate(app);
  const server = createLinkServer(certificate);
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (/^\/(?:link|install)\//.test(request.url ?? "")) hosts.serve(request, response);
    else endEmpty(response, 404);
  };
  server.on("request", (request, response) => {
    if (!visits.handleRequest(request, response, false)) answer(request, response);
  });
  server.on("checkContinue", (request, response) => {
    if (visits.handleRequest(request, response, true)) return;
    response.writeContinue();
    answer(request, response);
  });
  server.on("upgrade", (request, socket, head) => {
    if (!visits.handleUpgrade(request, socket, head)) hosts.takeUpgrade(request, socket, head);
  });
  const run = async () => {
    if (app.clock.now() < certificate.endsAt - renewAheadMs) return;
    certificate = await newCertificate(app);
    renewCertificate(server, certificate);
  };
  return { server, renewal: { name: "renew-link-certificate", everyMs: renewEveryMs, run } };
}

/** Returns a certificate that lives in memory alone: the next start makes another. */
async function newCertificate(app: AppContext): Promise<LinkCertificate> {
  const authority = await ensureAuthority(app);
  const row = authority && issueLocally(app, authority, [linkServerName]);
  const privateKey = row && openPrivateKey(app, row);
  if (row === null || privateKey === null)
    throw new Error("The link over TLS (TIJOLO_LINK_LISTEN) needs the authority's key, which does not open.");
  return { chain: row.chain, privateKey, endsAt: row.endsAt };
}
