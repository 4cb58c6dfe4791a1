/** Defines the cookies of the panel: their names, and how they are set and removed. */

import type { IncomingHttpHeaders } from "node:http";

/**
 * Kinds of cookies. `session`: a person who is signed in; `challenge`: one who gave the right password and
 * owes a second factor.
 */
export type CookieKind = "session" | "challenge";

export interface PanelSettings {
  /** Returns the panel's address, without a slash at the end. */
  url(): string;
  signUp: "open" | "invitation" | "closed";
}

/** Returns the cookie's name; `__Host-` binds a cookie to this very host and to TLS, where there is TLS. */
export function cookieName(panel: PanelSettings, kind: CookieKind): string {
  return isSecure(panel) ? `__Host-tijolo-${kind}` : `tijolo-${kind}`;
}

export function setCookie(
  panel: PanelSettings,
  kind: CookieKind,
  { value, maxAgeMs }: { value: string; maxAgeMs: number },
): string {
  const attributes = ["Path=/", "HttpOnly", "SameSite=Lax", `Max-Age=${Math.floor(maxAgeMs / 1000)}`];
  return [`${cookieName(panel, kind)}=${value}`, ...attributes, ...(isSecure(panel) ? ["Secure"] : [])].join(
    "; ",
  );
}

export function clearCookie(panel: PanelSettings, kind: CookieKind): string {
  return setCookie(panel, kind, { value: "", maxAgeMs: 0 });
}

/**
 * Returns the cookie's value; undefined also when it came twice, because then nobody knows which is ours. The
 * package `cookie` returns the first of two and cannot tell that there was another.
 */
export function readCookie(
  panel: PanelSettings,
  kind: CookieKind,
  headers: IncomingHttpHeaders,
): string | undefined {
  const name = cookieName(panel, kind);
  const values = (headers.cookie ?? "").split(";").flatMap((pair) => {
    const [key, ...value] = pair.split("=");
    return key?.trim() === name ? [value.join("=").trim()] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}

function isSecure(panel: PanelSettings): boolean {
  return panel.url().startsWith("https:");
}
