/**
 * What was read of the server, kept while the panel is open. Nothing is read again by time: what changes comes by
 * the live stream, and a person's own change says what it makes old.
 */

import { ApiError } from "@tijolo/protocol/client";
import { QueryClient } from "@tanstack/react-query";

const maxTries = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: true,
      networkMode: "always",
      retry: (failures, error) => failures < maxTries && mayPass(error),
      retryDelay: (failures) => Math.min(4_000, 500 * 2 ** failures) * (0.5 + Math.random() / 2),
    },
    mutations: { networkMode: "always", retry: false },
  },
});

/** True for what a second try may mend at once: no answer, or a fault of the server. Limits are waited for. */
function mayPass(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500;
}
