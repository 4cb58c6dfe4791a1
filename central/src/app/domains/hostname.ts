/** Reads a domain that a person typed, and refuses names that can be nobody's site. */

import { AppError, maxHostnameLength, type ErrorExtra } from "@tijolo/protocol";
import { domainRefusals } from "@tijolo/protocol/texts/central";
import { isIP } from "node:net";
import { domainToASCII, domainToUnicode } from "node:url";
import { parse } from "tldts";

/** A name as DNS has it: lower case, A-labels, without a dot at its end. */
export interface Hostname {
  /** With `*.` before it, for a wildcard. */
  hostname: string;
  isWildcard: boolean;
  /** The name without `*.`. */
  base: string;
  /** True for a name directly below a public suffix, which can have no CNAME. */
  isApex: boolean;
}

type Refusal = Exclude<keyof typeof domainRefusals, "alreadyHere">;

/** Names that the world's DNS does not have (RFC 6761, 6762, 7686, 8375, 9476, and ICANN's `internal`). */
const specialUse = [
  "alt",
  "arpa",
  "example",
  "example.com",
  "example.net",
  "example.org",
  "internal",
  "invalid",
  "local",
  "localhost",
  "onion",
  "test",
];
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Reads a domain. `ownNames` are the service's, which are refused with all names below them. Throws
 * `invalid_domain` with the reason.
 */
export function readHostname(
  text: string,
  { field = "hostname", ownNames }: { field?: "hostname" | "redirectTo"; ownNames: readonly string[] },
): Hostname {
  const isWildcard = field === "hostname" && text.startsWith("*.");
  const base = toAscii(isWildcard ? text.slice(2) : text);
  const refusal = base === null ? refusalOfText(text) : refusalOf(base, { isWildcard, ownNames });
  if (base === null || refusal !== null) throw invalidDomain(refusal ?? "malformed", field);
  return hostnameOfRow(isWildcard ? `*.${base}` : base);
}

/** Returns the parts of a hostname that was read before. */
export function hostnameOfRow(hostname: string): Hostname {
  const isWildcard = hostname.startsWith("*.");
  const base = isWildcard ? hostname.slice(2) : hostname;
  return { hostname, isWildcard, base, isApex: suffixOf(base).domain === base };
}

/** Returns the hostname that a person means, without judging it; null for what is no name. */
export function normalizeHostname(text: string): string | null {
  const isWildcard = text.startsWith("*.");
  const base = toAscii(isWildcard ? text.slice(2) : text);
  return base !== null && isWildcard ? `*.${base}` : base;
}

/** Returns the hostname as people read it. */
export function unicodeHostname({ base, isWildcard }: Hostname): string {
  return `${isWildcard ? "*." : ""}${domainToUnicode(base)}`;
}

export function invalidDomain(
  reason: Refusal & NonNullable<ErrorExtra["reason"]>,
  field: "hostname" | "redirectTo" = "hostname",
): AppError {
  return new AppError("invalid_domain", { extra: { field, reason }, detail: domainRefusals[reason] });
}

/** True when a name is `parent` or below it. */
export function isBelow(name: string, parent: string): boolean {
  return name === parent || name.endsWith(`.${parent}`);
}

/** Maps by UTS 46; null for what is no name at all. */
function toAscii(text: string): string | null {
  // The mapping belongs to addresses of the web, which may have more than a name.
  if (/[\s/\\:@?#%[\]*]/.test(text)) return null;
  const name = domainToASCII(text).toLowerCase().replace(/\.$/, "");
  return name === "" ? null : name;
}

function refusalOfText(text: string): Refusal {
  return isIP(text.replace(/^\[|\]$/g, "")) === 0 ? "malformed" : "ip_address";
}

function refusalOf(
  base: string,
  { isWildcard, ownNames }: { isWildcard: boolean; ownNames: readonly string[] },
): Refusal | null {
  if (isIP(base) !== 0) return "ip_address";
  if (base.length + (isWildcard ? 2 : 0) > maxHostnameLength) return "too_long";
  const labels = base.split(".");
  if (!labels.every((each) => label.test(each))) return "malformed";
  if (specialUse.some((name) => isBelow(base, name))) return "special_use";
  if (ownNames.some((name) => isBelow(base, name))) return "own_name";
  if (labels.length === 1) return "one_label";
  if (/^\d+$/.test(labels.at(-1) ?? "")) return "malformed";
  return suffixOf(base).domain === null ? "public_suffix" : null;
}

/** Suffixes of services count as well: everybody has a name below `github.io`. */
function suffixOf(name: string) {
  return parse(name, { allowPrivateDomains: true, extractHostname: false, validateHostname: false });
}
