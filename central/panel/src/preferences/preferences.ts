/**
 * Keeps what a person chose for this browser: language, theme, and whether single keys act. It holds nothing of
 * the account, so it stays after a sign-out.
 */

import { useSyncExternalStore } from "react";

export const languages = ["pt", "en"] as const;
export type Language = (typeof languages)[number];
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

export interface Preferences {
  language: Language;
  theme: Theme;
  hasSingleKeys: boolean;
}

const storageKey = "tijolo.preferences";
const listeners = new Set<() => void>();
let current = read();

export function preferences(): Preferences {
  return current;
}

export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(storageKey, JSON.stringify(current));
  } catch {
    // A browser that stores nothing keeps the choice until the page is left.
  }
  applyPreferences();
  for (const listener of listeners) listener();
}

/** Takes over what is chosen in another tab of this browser. */
export function followPreferences(): void {
  addEventListener("storage", ({ key }) => {
    if (key !== storageKey && key !== null) return;
    current = read();
    applyPreferences();
    for (const listener of listeners) listener();
  });
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, preferences);
}

/** Sets language and theme on the document, for the style sheets and for screen readers. */
export function applyPreferences(): void {
  const { documentElement } = document;
  documentElement.lang = current.language === "pt" ? "pt-BR" : "en";
  if (current.theme === "system") delete documentElement.dataset["theme"];
  else documentElement.dataset["theme"] = current.theme;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): Preferences {
  const stored = storedPreferences();
  return {
    language: languages.find((language) => language === stored["language"]) ?? browserLanguage(),
    theme: themes.find((theme) => theme === stored["theme"]) ?? "system",
    hasSingleKeys: stored["hasSingleKeys"] !== false,
  };
}

function storedPreferences(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "{}");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Portuguese first: English only for a browser that names it before any Portuguese. */
function browserLanguage(): Language {
  const first = navigator.languages.find((name) => /^(pt|en)\b/i.test(name));
  return first?.toLowerCase().startsWith("en") === true ? "en" : "pt";
}
