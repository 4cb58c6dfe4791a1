/**
 * Makes the cookies of a site's answer those of its own name: sites share the domain above them, and could set
 * cookies for the panel or for each other. A gateway does the same to the answers that do not pass here
 * (`central/gateway/src/haproxy/site-backends.ts`), so a visitor's cookie does not depend on the way.
 */

/** Returns the values of `Set-Cookie` without their attributes `Domain` (RFC 6265, 5.2.3). */
export function ownCookies(values: readonly string[]): string[] {
  return values.map((value) => {
    const [pair = "", ...attributes] = value.split(";");
    return [pair, ...attributes.filter((each) => !isDomain(each))].join(";");
  });
}

function isDomain(attribute: string): boolean {
  return attribute.split("=", 1)[0]?.trim().toLowerCase() === "domain";
}
