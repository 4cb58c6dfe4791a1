/** Tells redirects to a site's own subdomain from those to other names. */

/**
 * True for a redirect to the subdomain of the domain's own site: no other name below the site domain is taken as a
 * target. It leads to what the site is called now, as a name that was given up may be another site's.
 */
export function isOwnSubdomain(redirectTo: string | null, siteDomain: string): boolean {
  return redirectTo?.endsWith(`.${siteDomain}`) === true;
}
