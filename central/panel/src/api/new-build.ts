/**
 * What happens when central was updated while this page is open: a newer panel may be there, and the chunks of
 * this one are gone.
 */

import { createClient } from "@tijolo/protocol/client";
import { useSyncExternalStore } from "react";
import { routes } from "virtual:routes";
import { fetchInLanguage } from "./client.ts";
import { hasUnsaved } from "./unsaved.ts";

const storageKey = "tijolo.reloaded-at";
/** Milliseconds within which a second missing chunk is a fault, and not a new build. */
const onceMs = 60_000;

const listeners = new Set<() => void>();
let isThere = false;

/** What central says is kept for some seconds otherwise, which may be from before its update. */
const client = createClient(routes, {
  baseUrl: "/api",
  fetch: (address, init) => fetchInLanguage(address, { ...init, cache: "no-cache" }),
});

/**
 * Loads the page again, once, when a chunk of it is missing; what stays broken then shows as a failed page. While
 * something typed would be lost, the newer build is only told.
 */
export function reloadForMissingChunk(): void {
  addEventListener("vite:preloadError", (event) => {
    if (hasUnsaved()) return void lookForNewBuild();
    const reloadedAt = Number(sessionStorage.getItem(storageKey) ?? 0);
    if (Date.now() - reloadedAt < onceMs) return;
    sessionStorage.setItem(storageKey, String(Date.now()));
    event.preventDefault();
    location.reload();
  });
}

/** Asks central which panel it serves. A failure says nothing: the next connection asks again. */
export async function lookForNewBuild(): Promise<void> {
  const own = document.querySelector<HTMLMetaElement>('meta[name="tijolo-build"]')?.content;
  if (own === undefined || isThere) return;
  const service = await client.getService().catch(() => null);
  const served = service?.build.panel ?? own;
  if (served === own || isThere) return;
  isThere = true;
  for (const listener of listeners) listener();
}

/** True once central was found to serve another build than this page's. */
export function hasNewBuild(): boolean {
  return isThere;
}

export function useHasNewBuild(): boolean {
  return useSyncExternalStore(subscribe, hasNewBuild);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
