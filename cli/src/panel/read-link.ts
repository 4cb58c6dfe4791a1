/** Parses links that an operator issues, or that come by mail. */

import { parseServerUrl } from "../client/server-url.ts";

export interface LinkParts {
  token: string;
  /** Address of the server; null where only the token was given. */
  serverUrl: string | null;
}

/** Parses a whole link, whose query names the token as `parameter`, or the token alone. */
export function readLink(text: string, parameter: "token" | "invitation"): LinkParts {
  const given = text.trim();
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given)) return { token: given, serverUrl: null };
  const link = new URL(given);
  return { token: link.searchParams.get(parameter) ?? "", serverUrl: parseServerUrl(link.origin) };
}
