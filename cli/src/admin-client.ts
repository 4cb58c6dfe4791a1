/** The operators' client: tRPC over HTTP, typed by the router of `protocol`. */

import { ConnectionError, type AdminRouter } from "@tijolo/protocol";
import { createTRPCClient, httpBatchStreamLink, httpLink, splitLink, type TRPCClient } from "@trpc/client";
import { adminUrlOf } from "./server-url.ts";

export type AdminClient = TRPCClient<AdminRouter>;

export function createAdminClient(options: { serverUrl: string; token: string; fetch: typeof globalThis.fetch }): AdminClient {
  const target = {
    url: adminUrlOf(options.serverUrl),
    headers: { authorization: `Bearer ${options.token}` },
    fetch: async (url: Request | URL | string, init?: unknown) => {
      try {
        return await options.fetch(url, init as RequestInit);
      } catch (cause) {
        throw new ConnectionError(`no answer from ${options.serverUrl}`, { cause });
      }
    },
  };
  const link = splitLink<AdminRouter>({
    condition: ({ path }) => streamed.has(path),
    true: httpBatchStreamLink<AdminRouter>({ ...target, maxItems: 1 }),
    false: httpLink<AdminRouter>(target),
  });
  return createTRPCClient<AdminRouter>({ links: [link] });
}

/** Procedures whose answer comes in pieces. */
const streamed: ReadonlySet<string> = new Set<keyof AdminRouter["_def"]["record"]>(["pullImages"]);
