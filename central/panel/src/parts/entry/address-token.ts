/**
 * Takes the secret of a link out of the address bar, as soon as its page is there: an address stays in the
 * history, in bookmarks and on photographs of a screen.
 */

import { useState } from "react";

/** By path and name, as long as the document lives: the page may be drawn again after the address was cleaned. */
const taken = new Map<string, string>();

/**
 * The secret that the address brought, from its query or its fragment; null without one. After a reload the link
 * has to be opened again.
 */
export function useAddressToken(name: "token" | "invitation"): string | null {
  const [token] = useState(() => takeToken(name));
  return token;
}

function takeToken(name: string): string | null {
  const address = new URL(location.href);
  const key = `${address.pathname} ${name}`;
  const fragment = new URLSearchParams(address.hash.slice(1));
  const token = address.searchParams.get(name) ?? fragment.get(name);
  if (token === null) return taken.get(key) ?? null;
  taken.set(key, token);
  address.searchParams.delete(name);
  address.hash = "";
  history.replaceState(history.state, "", address);
  return token;
}
