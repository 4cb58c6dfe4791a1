/**
 * Reads what a registry asks for in `WWW-Authenticate` (RFC 9110, the distribution specification's token
 * protocol).
 */

export type AuthChallenge =
  | { scheme: "basic" }
  | { scheme: "bearer"; realm: string; service: string | null; scope: string | null };

/**
 * The challenge to answer: Bearer before Basic, as it does not send the password to every address; undefined
 * where there is none we know.
 */
export function findChallenge(headers: readonly string[]): AuthChallenge | undefined {
  const challenges = headers.flatMap(parseChallenges);
  const bearer = challenges.find(({ scheme, parameters }) => scheme === "bearer" && parameters.has("realm"));
  if (bearer !== undefined) {
    const { parameters } = bearer;
    return {
      scheme: "bearer",
      realm: parameters.get("realm") ?? "",
      service: parameters.get("service") ?? null,
      scope: parameters.get("scope") ?? null,
    };
  }
  return challenges.some(({ scheme }) => scheme === "basic") ? { scheme: "basic" } : undefined;
}

interface Challenge {
  scheme: string;
  parameters: Map<string, string>;
}

const maxHeaderLength = 8192;
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

/** One header may hold several challenges, all parted by commas. */
function parseChallenges(header: string): Challenge[] {
  const challenges: Challenge[] = [];
  if (header.length > maxHeaderLength) return challenges;
  const piece = new RegExp(
    `[\\s,]*(?:(${token})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${token}))|(${token})(?=\\s|,|$))`,
    "y",
  );
  for (let match = piece.exec(header); match !== null; match = piece.exec(header)) {
    const [, name, quoted, plain, scheme] = match;
    if (scheme !== undefined) challenges.push({ scheme: scheme.toLowerCase(), parameters: new Map() });
    else if (name !== undefined)
      challenges.at(-1)?.parameters.set(name.toLowerCase(), plain ?? (quoted ?? "").replace(/\\(.)/g, "$1"));
  }
  return challenges;
}
