/** Parses the Host of a visitor's request: which subdomain, or which own domain of a site, is meant. */

export type SiteHost =
  /** A site; `host` is what was sent, unchanged. */
  | { kind: "site"; subdomain: string; host: string }
  /** Any other name: some site's own domain, or nobody's. */
  | { kind: "domain"; hostname: string; host: string }
  /** A well-formed host that no site can have. */
  | { kind: "unknown" }
  /** No host, more than one, or not one: the request is refused. */
  | { kind: "invalid" };

const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]{1,255})(?::\d{1,5})?$/i;
/** Labels with dots between; the last one is no number, as that of an IP address is. */
const domainPattern = /^(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]*[a-z][a-z0-9-]*$/;
const subdomainPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Parses the Host header. `rawHeaders` are as Node gives them, so that a second Host is seen. `siteDomain`
 * has no port.
 */
export function parseSiteHost(rawHeaders: readonly string[], siteDomain: string): SiteHost {
  const hosts = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === "host",
  );
  const [host] = hosts;
  if (hosts.length !== 1 || host === undefined) return { kind: "invalid" };
  const name = hostPattern.exec(host)?.[1]?.toLowerCase().replace(/\.$/, "");
  if (name === undefined || name === "") return { kind: "invalid" };
  for (const domain of [siteDomain.toLowerCase(), "localhost"]) {
    if (name === domain) return { kind: "unknown" };
    if (!name.endsWith(`.${domain}`)) continue;
    const subdomain = name.slice(0, -domain.length - 1);
    return subdomainPattern.test(subdomain) ? { kind: "site", subdomain, host } : { kind: "unknown" };
  }
  return domainPattern.test(name) ? { kind: "domain", hostname: name, host } : { kind: "unknown" };
}
