/**
 * Refuses changes that a browser is made to send from another site: a cookie alone does not prove that its
 * owner wants them.
 */

import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "@tijolo/protocol";
import { requestDetails } from "@tijolo/protocol/texts/central";
import type { AppContext } from "../../app/context.ts";

/**
 * Throws `not_authenticated` unless the request comes from the panel's own pages, or from a program that is
 * no browser. Current browsers send the origin in `Sec-Fetch-Site`, older ones in `Origin`; each of them that
 * is present must agree. With neither, a request passes only without any mark of a browser.
 */
export function assertSameOrigin(
  app: Pick<AppContext, "panel">,
  { headers }: { headers: IncomingHttpHeaders },
): void {
  const site = headers["sec-fetch-site"];
  const { origin } = headers;
  if (site !== undefined && site !== "same-origin") throw fromElsewhere();
  if (origin !== undefined && !isOwnOrigin(app, origin, headers.host)) throw fromElsewhere();
  if (site === undefined && origin === undefined && hasBrowserMarks(headers)) throw fromElsewhere();
}

function fromElsewhere(): AppError {
  return new AppError("not_authenticated", {
    detail: requestDetails.otherOrigin,
  });
}

/**
 * True for the panel's address, or the very address that was called. When the panel is reached by TLS, its
 * host without TLS counts as another site.
 */
function isOwnOrigin(app: Pick<AppContext, "panel">, origin: string, host: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const called = new URL(origin);
  const panel = new URL(app.panel.url());
  if (called.origin === panel.origin) return true;
  if (panel.protocol === "https:" && called.host === panel.host) return false;
  return host !== undefined && called.host === host.toLowerCase();
}

function hasBrowserMarks(headers: IncomingHttpHeaders): boolean {
  const marks = ["referer", "sec-fetch-dest", "sec-fetch-user", "sec-ch-ua", "upgrade-insecure-requests"];
  return marks.some((name) => headers[name] !== undefined) || /^Mozilla\//i.test(headers["user-agent"] ?? "");
}
