/**
 * Names the fields of a route in HAProxy's map, for the program that writes the values and for the rules that read
 * them from the variable `txn.route`.
 */

/** Fields of a value, in their order. */
const fields = ["way", "project", "address", "port", "run", "domain", "hsts", "missingPage"] as const;

type RouteField = (typeof fields)[number];

/** Words of the fields that are settings. A rule looks for one in the whole value: no other field is such a word. */
interface RouteSettings {
  /** `own` for a domain of the site's own, whose cookies are its own affair. */
  domain: "own" | "ours";
  /** `plain` where browsers are not told that the name is reached by HTTPS only. */
  hsts: "hsts" | "plain";
  /** `central` where central has a page of the site's own for a missing file. */
  missingPage: "central" | "here";
}

export type RouteFields = Record<Exclude<RouteField, keyof RouteSettings>, string | number> & RouteSettings;

/** Returns the value of a route. */
export function routeValue(values: RouteFields): string {
  return fields.map((name) => values[name]).join("|");
}

/** Returns the expression of HAProxy that reads a field of the visit's route. */
export function routeField(name: RouteField): string {
  return `var(txn.route),field(${fields.indexOf(name) + 1},|)`;
}

/** Returns the condition that a setting of the visit's route is this word. */
export function routeHas<Name extends keyof RouteSettings>(name: Name, word: RouteSettings[Name]): string {
  const match = name === fields.at(-1) ? `-m end |${word}` : `-m sub |${word}|`;
  return `var(txn.route) ${match}`;
}

/**
 * Types of the TLVs in a PROXY header by which one hop within HAProxy tells the next one the route, and what was
 * tried. The protocol leaves 0xE0 to 0xEF to such uses.
 */
export const hopTlv = { route: "0xE1", tried: "0xE2" } as const;
