/** Wraps fetch with the cookies of one server, kept in memory only. */

/** Sends cookies to that server alone, and names it as the origin, as the panel's pages do. */
export function cookieFetch(fetch: typeof globalThis.fetch, serverUrl: string): typeof globalThis.fetch {
  const { origin } = new URL(serverUrl);
  const cookies = new Map<string, string>();
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("origin", origin);
    if (cookies.size > 0)
      headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await fetch(input, { ...init, headers, redirect: "error" });
    for (const line of response.headers.getSetCookie()) keepCookie(cookies, line);
    return response;
  };
}

/** Stores a cookie; one without a value, or with an age of 0, is removed. */
function keepCookie(cookies: Map<string, string>, line: string): void {
  const [pair = "", ...attributes] = line.split(";");
  const at = pair.indexOf("=");
  const name = pair.slice(0, at).trim();
  const value = pair.slice(at + 1).trim();
  const isOver = attributes.some((attribute) => /^\s*max-age=(0|-\d+)\s*$/i.test(attribute));
  if (value === "" || isOver) cookies.delete(name);
  else cookies.set(name, value);
}
