/**
 * Reads what a domain's CAA records allow (RFC 8659), so that an order that the authority would refuse is not
 * begun.
 */

import { parentOf } from "../../dns/parent-name.ts";

/** Returns a name's CAA records as `<flags> <tag> <value>`; none where there are none. */
export type FindCaa = (name: string) => Promise<readonly string[]>;

/**
 * True when the records allow one of the authority's names to issue for `name` (`*.example.com` for a
 * wildcard). The nearest name upwards that has records counts. An authority that does not say its names is
 * not judged.
 */
export async function mayIssue(
  name: string,
  { identities, find }: { identities: readonly string[]; find: FindCaa },
): Promise<boolean> {
  if (identities.length === 0) return true;
  const isWildcard = name.startsWith("*.");
  for (let at = isWildcard ? name.slice(2) : name; at !== ""; at = parentOf(at)) {
    const records = (await find(at)).map(parseRecord);
    if (records.length === 0) continue;
    if (records.some(({ isCritical, tag }) => isCritical && !knownTags.has(tag))) return false;
    const wild = records.filter(({ tag }) => tag === "issuewild");
    const counting = isWildcard && wild.length > 0 ? wild : records.filter(({ tag }) => tag === "issue");
    return counting.length === 0 || counting.some(({ issuer }) => identities.includes(issuer));
  }
  return true;
}

const knownTags = new Set(["issue", "issuewild", "iodef", "contactemail", "contactphone", "issuemail"]);
const criticalFlag = 128;

function parseRecord(text: string): { isCritical: boolean; tag: string; issuer: string } {
  const [flags = "", tag = "", ...value] = text.split(" ");
  const [issuer = ""] = value.join(" ").split(";");
  return {
    isCritical: (Number(flags) & criticalFlag) !== 0,
    tag: tag.toLowerCase(),
    issuer: issuer.trim().toLowerCase(),
  };
}
