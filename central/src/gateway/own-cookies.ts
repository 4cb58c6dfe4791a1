/**
 * Decides which cookies of a site's answer pass: those for the site's own name. One that names another domain
 * is dropped whole, as a browser ignores a cookie for a public suffix (RFC 6265, 5.3, step 5). Only its
 * attribute taken away, it would become another cookie than the site asked for, and a cluster whose domain is
 * later put on the Public Suffix List would behave differently.
 */

/**
 * Returns the values of `Set-Cookie` that set a cookie for `host` alone. `host` is as the visitor sent it,
 * perhaps with a port.
 */
export function ownCookies(values: readonly string[], host: string): string[] {
  const own = nameOf(host.replace(/:\d*$/, ""));
  return values.filter((value) =>
    domainsOf(value).every((domain) => domain === "" || nameOf(domain) === own),
  );
}

/**
 * Returns all domains of a cookie: browsers take the last Domain of several, or the last that is not empty,
 * so all of them are checked.
 */
function domainsOf(value: string): string[] {
  const [, ...attributes] = value.split(";");
  return attributes.flatMap((attribute) => {
    const [name = "", ...rest] = attribute.split("=");
    return name.trim().toLowerCase() === "domain" ? [rest.join("=").trim()] : [];
  });
}

/**
 * Returns a domain's name: one leading dot has no meaning (RFC 6265, 5.2.3), and a dot at the end makes no
 * other name.
 */
function nameOf(domain: string): string {
  return domain.toLowerCase().replace(/^\./, "").replace(/\.$/, "");
}
