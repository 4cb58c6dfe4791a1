/** Returns the address at which the caller reached the interface, with the `/api` prefix. */

import type { IncomingHttpHeaders } from "node:http";
import type { AppContext } from "../../app/context.ts";

const hostPattern = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
const maxHostLength = 255;

/** Returns the called host, with TLS where the panel has it there; the panel's address for a bad host. */
export function baseUrlOf(
  app: Pick<AppContext, "panel">,
  { headers }: { headers: IncomingHttpHeaders },
): string {
  const panel = new URL(app.panel.url());
  const host = headers.host?.toLowerCase() ?? "";
  if (host.length > maxHostLength || !hostPattern.test(host) || host === panel.host)
    return `${panel.origin}/api`;
  return `http://${host}/api`;
}
