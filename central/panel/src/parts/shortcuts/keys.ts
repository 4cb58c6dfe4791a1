/** Says which keys do what. Pure: the page's own events come from `use-shortcuts.ts`. */

export type Shortcut = "search" | "list" | "logs" | "projects" | "notices" | "account" | "cluster";

/** The keys of each shortcut, one after the other. */
export const shortcutKeys: Readonly<Record<Shortcut, readonly string[]>> = {
  search: ["/"],
  projects: ["g", "p"],
  notices: ["g", "n"],
  account: ["g", "a"],
  cluster: ["g", "c"],
  logs: ["l"],
  list: ["?"],
};

/** Milliseconds within which the second key follows the first. */
const pauseMs = 1_500;

/** A key that begins a shortcut of two. */
export interface FirstKey {
  key: string;
  atMs: number;
}

/** Returns the shortcut that is complete with `key`, or the first half of one; null where it belongs to none. */
export function readKey(first: FirstKey | null, key: string, atMs: number): Shortcut | FirstKey | null {
  const begun = first !== null && atMs - first.atMs <= pauseMs ? first.key : null;
  const pressed = begun === null ? [key] : [begun, key];
  for (const [name, keys] of Object.entries(shortcutKeys))
    if (keys.length === pressed.length && keys.every((own, index) => own === pressed[index]))
      return name as Shortcut;
  if (begun !== null) return readKey(null, key, atMs);
  return Object.values(shortcutKeys).some((keys) => keys.length > 1 && keys[0] === key)
    ? { key, atMs }
    : null;
}
