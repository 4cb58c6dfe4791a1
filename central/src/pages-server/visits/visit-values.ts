/**
 * Brings what a visitor sent into values that are counted and shown: short, printable, and of an address only
 * what says nothing about the visitor.
 */

const maxLength = 128;
/** Everything but printable ASCII, which is all that a well-formed target or host has. */
const unprintable = /[^\x21-\x7e]/g;
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const referrerHost = /^https?:\/\/([a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?(?:[/?#]|$)/i;

/** Returns the path of a target without query and fragment. */
export function pathOf(target: string): string {
  const shown = target.slice(0, 2 * maxLength);
  const path = shown.startsWith("/") ? shown : shown.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "");
  const end = path.search(/[?#]/);
  return (end === -1 ? path : path.slice(0, end)).replace(unprintable, "\u{fffd}").slice(0, maxLength) || "/";
}

/** Returns the host that led to the site; null without a referrer, and when it is the site itself. */
export function referrerOf(referrer: string, host: string): string | null {
  if (referrer === "") return null;
  const name = referrerHost.exec(referrer.slice(0, 512))?.[1]?.toLowerCase();
  if (name === undefined || name === nameOf(host)) return null;
  return name.slice(0, maxLength);
}

export function methodOf(method: string): string {
  return methods.has(method) ? method : "OTHER";
}

export function statusOf(status: number): string {
  return Number.isInteger(status) && status >= 100 && status <= 599 ? String(status) : "-";
}

/** Returns the host without its port. */
function nameOf(host: string): string {
  return host.replace(/:\d+$/, "").toLowerCase();
}
