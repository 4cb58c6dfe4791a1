/** Shows the line that makes a machine a host or a gateway, and the token that it asks for. */

import type { CommandContext } from "../../command-context.ts";

export interface InstallLine {
  token: string;
  expiresAt: string;
  centralUrl: string;
  install: { url: string; sha256: string };
}

/** The token stands in no command line; the script is run only where it is what this terminal names. */
export function showInstallLine(
  { output, messages }: Pick<CommandContext, "output" | "messages">,
  { install, token, expiresAt, centralUrl }: InstallLine,
): void {
  const { url, sha256 } = install;
  const line = `f=$(mktemp) && curl -fsSk ${url} -o $f && echo "${sha256}  $f" | sha256sum -c --quiet && sh $f`;
  output.json({ token, expiresAt, centralUrl, install: { ...install, line } });
  output.line(messages.cluster.installLine(line));
  output.line(`${messages.cluster.asksForToken(expiresAt)}\n\n  ${token}\n`);
}
