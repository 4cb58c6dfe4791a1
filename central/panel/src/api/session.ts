/** Who is signed in: read once, kept until a sign-in, a sign-out or the server says otherwise. */

import { ApiError, type OperationAnswer } from "@tijolo/protocol/client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "./client.ts";
import { queryClient } from "./query-client.ts";

export type Session = OperationAnswer<"getSession">;

const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: readSession,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** The session, or null for a stranger. Throws when the server does not answer. */
export function loadSession(): Promise<Session | null> {
  return queryClient.ensureQueryData(sessionQuery);
}

/** The session on pages that are for those who are signed in. */
export function useSession(): Session | null {
  return useQuery(sessionQuery).data ?? null;
}

/** Takes what a sign-in answered; whatever was read before was somebody else's. */
export function beginSession(session: Session): void {
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, session);
}

/** Takes a new sign-in on a page that stays as it is; false, and nothing is taken, when it is another person's. */
export function goOnWith(session: Session): boolean {
  const before = queryClient.getQueryData(sessionQuery.queryKey);
  const isSame = before?.account.id === session.account.id && before.person.email === session.person.email;
  if (!isSame) return false;
  queryClient.setQueryData(sessionQuery.queryKey, session);
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0],
  });
  return true;
}

/** Reads the session again, after a change of the person. */
export function refreshSession(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
}

/** Forgets everything that was read. The page that follows is the sign-in. */
export function forgetSession(): void {
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, null);
}

async function readSession(): Promise<Session | null> {
  try {
    return await api.getSession();
  } catch (cause) {
    if (cause instanceof ApiError && cause.status === 401) return null;
    throw cause;
  }
}
