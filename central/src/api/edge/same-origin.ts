/**
 * Changes that a browser is made to send from another site are refused: a cookie alone does not say that its
 * owner wants them.
 */

import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "@tijolo/protocol";
import { requestDetails } from "@tijolo/protocol/texts/central";
import type { AppContext } from "../../app/context.ts";

/**
 * Throws `not_authenticated` unless the request comes from the panel's own pages, or from a program that is
 * no browser. Browsers of today say where a request comes from in `Sec-Fetch-Site`, those before in `Origin`;
 * each that is there must agree. With neither, a request passes only without any mark of a browser.
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
 * The panel's address, or the very address that was called; without TLS, the host where the panel has it is
 * somebody else.
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
