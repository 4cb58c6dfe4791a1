/** Opens the address at which hosts reach central over TLS: for the link and for installing, and nothing else. */

import type { Server } from "node:https";
import type { RequestListener } from "node:http";
import { linkServerName } from "@tijolo/protocol/kit";
import { ensureAuthority, issueLocally } from "./app/certificates/local-authority.ts";
import { openPrivateKey } from "./app/certificates/new-certificate.ts";
import type { AppContext } from "./app/context.ts";
import { endEmpty } from "@tijolo/protocol/kit";
import { createLinkServer, renewCertificate, type LinkCertificate } from "./link/link-certificate.ts";

/** Time before a certificate's end when the next one is made. */
const renewAheadMs = 30 * 24 * 60 * 60 * 1000;
const renewEveryMs = 60 * 60 * 1000;

export interface LinkListener {
  server: Server;
  /** Makes the next certificate when the end of this one is near. */
  renewal: { name: string; everyMs: number; run(): Promise<void> };
}

/** Creates the server, which does not listen yet. `handle` takes requests that are for the link. */
export async function createLinkListener(app: AppContext, handle: RequestListener): Promise<LinkListener> {
  let certificate = await newCertificate(app);
  const server = createLinkServer(certificate, (request, response) => {
    if (/^\/(?:link|install)\//.test(request.url ?? "")) handle(request, response);
    else endEmpty(response, 404);
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
