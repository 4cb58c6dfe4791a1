/** The operators' client: tRPC over HTTP, typed by the router of `protocol`. */

import { ConnectionError, isErrorCode, readApiError, type AdminRouter } from "@tijolo/protocol";
import { createTRPCClient, httpBatchStreamLink, httpLink, splitLink, type TRPCClient } from "@trpc/client";
import { adminUrlOf } from "./server-url.ts";

export type AdminClient = TRPCClient<AdminRouter>;

export function createAdminClient(options: {
  serverUrl: string;
  token: string;
  fetch: typeof globalThis.fetch;
}): AdminClient {
  const target = {
    url: adminUrlOf(options.serverUrl),
    headers: { authorization: `Bearer ${options.token}` },
    fetch: async (url: Request | URL | string, init?: unknown) => {
      const response = await options.fetch(url, init as RequestInit).catch((cause: unknown) => {
        throw new ConnectionError(`no answer from ${options.serverUrl}`, { cause });
      });
      await assertReachedCall(response);
      return response;
    },
  };
  const link = splitLink<AdminRouter>({
    condition: ({ path }) => streamed.has(path),
    true: httpBatchStreamLink<AdminRouter>({ ...target, maxItems: 1 }),
    false: httpLink<AdminRouter>(target),
  });
  return createTRPCClient<AdminRouter>({ links: [link] });
}

/**
 * Throws the `ApiError` that central answers, as it does at its other interface, for what it refuses before
 * it looks for a procedure.
 */
async function assertReachedCall(response: Response): Promise<void> {
  if (response.ok) return;
  const refusal = await readApiError(response.clone());
  if (isErrorCode(refusal.code)) throw refusal;
}

/** Procedures whose answer comes in pieces. */
const streamed: ReadonlySet<string> = new Set<keyof AdminRouter["_def"]["record"]>(["pullImages"]);
