/** Parses a registry's challenge in `WWW-Authenticate` (RFC 9110, distribution specification). */

export type AuthChallenge =
  | { scheme: "basic" }
  | { scheme: "bearer"; realm: string; service: string | null; scope: string | null };

/**
 * Returns the challenge to answer: Bearer before Basic, because it does not send the password to every
 * address. Undefined when no challenge is of a known scheme.
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

/** Parses one header, which may hold several challenges, all separated by commas. */
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
