/** Shows how a machine becomes a host or a gateway: the line for it, and the token that it asks for. */

import { isLoopbackUrl } from "../../client/server-url.ts";
import type { CommandContext } from "../../command-context.ts";

export interface Invitation {
  kind: "host" | "gateway";
  token: string;
  expiresAt: string;
  centralUrl: string;
  /** Script that central has for such machines; null: they are installed by hand. */
  install: { url: string; sha256: string } | null;
}

type Shown = Pick<CommandContext, "output" | "messages">;

/** Names the file of the token and the program of a machine that is installed by hand, by what it becomes. */
const byHand = {
  host: { tokenFile: "/root/tijolo-join-token", program: "agent" },
  gateway: { tokenFile: "/root/tijolo-gateway-token", program: "gateway" },
} as const;

/** The token stands in no command line; the script is run only where it is what this terminal names. */
export function showInvitation(shown: Shown, { kind, ...invitation }: Invitation): void {
  const { install } = invitation;
  if (install === null) return showSteps(shown, { kind, ...invitation });
  const { output, messages } = shown;
  const line = installLine(install);
  output.json({ ...invitation, install: { ...install, line } });
  output.line(messages.cluster.installLine(line));
  output.line(`${messages.cluster.asksForToken(invitation.expiresAt)}\n\n  ${invitation.token}\n`);
}

/** Returns the line for a shell of the new machine: it fetches the script, and runs it only if it has this hash. */
export function installLine({ url, sha256 }: { url: string; sha256: string }): string {
  return `f=$(mktemp) && curl -fsSk ${url} -o $f && echo "${sha256}  $f" | sha256sum -c --quiet && sh $f`;
}

function showSteps({ output, messages }: Shown, { kind, ...invitation }: Invitation): void {
  const { token, expiresAt, centralUrl } = invitation;
  const { tokenFile, program } = byHand[kind];
  const command = [
    `  (umask 077; cat > ${tokenFile})`,
    `  TIJOLO_CENTRAL_URL=${centralUrl} TIJOLO_JOIN_TOKEN_FILE=${tokenFile} node cli/bootstrap/run.mjs ${program}`,
  ].join("\n");
  output.json(invitation);
  output.line(`${messages.cluster.joinToken(expiresAt)}\n\n  ${token}\n`);
  output.line(messages.cluster.joinSteps(command));
  if (isLoopbackUrl(centralUrl)) output.line(messages.cluster.thisMachineOnly(centralUrl));
  else if (new URL(centralUrl).protocol === "http:") output.line(messages.cluster.plainLink(centralUrl));
}
