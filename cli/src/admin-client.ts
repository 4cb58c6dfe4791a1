/** The operators' client: tRPC over HTTP, typed by the router of `protocol`. */

import type { AdminRouter } from "@tijolo/protocol";
import { createTRPCClient, httpLink, type TRPCClient } from "@trpc/client";
import { adminUrlOf } from "./server-url.ts";

export type AdminClient = TRPCClient<AdminRouter>;

export function createAdminClient(options: { serverUrl: string; token: string; fetch: typeof globalThis.fetch }): AdminClient {
  const link = httpLink({
    url: adminUrlOf(options.serverUrl),
    headers: { authorization: `Bearer ${options.token}` },
    fetch: (url, init) => options.fetch(url, init as RequestInit),
  });
  return createTRPCClient<AdminRouter>({ links: [link] });
}
