/** Parses the address of a Tijolo as a person writes it, and derives the addresses of its parts. */

/**
 * Returns the origin, with the path before `/api` if there is one, without a slash at the end; null when it
 * is no http address.
 */
export function parseServerUrl(text: string): string | null {
  const withScheme = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(withScheme)) return null;
  const url = new URL(withScheme);
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  return `${url.origin}${url.pathname.replace(/\/+$/, "").replace(/\/api$/, "")}`;
}

export function apiUrlOf(serverUrl: string): string {
  return `${serverUrl}/api`;
}

/** True for an address on this machine itself, which no network carries. */
export function isLoopbackUrl(url: string): boolean {
  return /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(URL.parse(url)?.hostname ?? "");
}
