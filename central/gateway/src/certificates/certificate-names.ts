/** Decides which certificate is shown for which name. */

import { isIP } from "node:net";
import { routedHostname } from "@tijolo/protocol";

export interface NamedCertificate {
  id: string;
  /** Host names, `*.example.com` for a wildcard, and IP addresses. */
  names: readonly string[];
}

/**
 * Returns, by id, the names that each certificate is shown for: of several with a name, the last one. Addresses
 * are left out, as no client asks for one (RFC 6066 section 3), and certificates that are shown for no name.
 */
export function shownNames(certificates: readonly NamedCertificate[]): Map<string, string[]> {
  const owners = new Map<string, string>();
  for (const { id, names } of certificates)
    for (const name of names)
      if (isIP(name) === 0 && routedHostname.safeParse(name).success) owners.set(name, id);
  const shown = new Map<string, string[]>();
  for (const [name, id] of owners) shown.set(id, [...(shown.get(id) ?? []), name]);
  return shown;
}

/**
 * Returns the names whose visitors are sent from HTTP to HTTPS: those with a certificate, but for names of this
 * machine (RFC 6761 section 6.3), whose certificates only those trust who installed the local authority.
 */
export function securedNames(shown: ReadonlyMap<string, readonly string[]>): string[] {
  return [...shown.values()].flat().filter((name) => name.includes(".") && !name.endsWith(".localhost"));
}
