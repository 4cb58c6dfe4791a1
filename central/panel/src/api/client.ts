/** The panel's client of the HTTP interface, on its own origin; the session's cookie goes along by itself. */

import { createClient } from "@tijolo/protocol/client";
import { routes } from "virtual:routes";
import { preferences } from "../preferences/preferences.ts";

/** Milliseconds after which a request without an answer is given up. */
const deadlineMs = 30_000;

export const api = createClient(routes, { baseUrl: "/api", fetch: fetchInLanguage });

/** Adds the person's language and a deadline: streams have none, since they are open as long as they are read. */
export function fetchInLanguage(address: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("accept-language", preferences().language === "pt" ? "pt-BR" : "en");
  const isStream = headers.get("accept") === "text/event-stream";
  const signals = [init.signal, isStream ? null : AbortSignal.timeout(deadlineMs)].filter(
    (signal) => signal !== null && signal !== undefined,
  );
  return fetch(address, { ...init, headers, signal: AbortSignal.any(signals) });
}
