/** Builds the cluster's own answers, as HTML or JSON: why there is no project behind this address now. */

import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { ProjectStatus } from "@tijolo/protocol";
import { pageDocument, sitePages, type PageText } from "@tijolo/protocol/texts/central";

interface Page {
  status: number;
  /** Seconds in `Retry-After`; with `refreshes` the HTML reloads itself. */
  retryAfterSeconds?: number;
  refreshes?: true;
}

const table: Record<PageCode, Page> = {
  site_starting: { status: 503, retryAfterSeconds: 3, refreshes: true },
  site_installing: { status: 503, retryAfterSeconds: 5, refreshes: true },
  site_stopped: { status: 503, retryAfterSeconds: 60 },
  site_maintenance: { status: 503, retryAfterSeconds: 300 },
  site_error: { status: 503, retryAfterSeconds: 60 },
  site_crash_loop: { status: 503, retryAfterSeconds: 60 },
  site_not_found: { status: 404 },
  file_not_found: { status: 404 },
  host_unreachable: { status: 503, retryAfterSeconds: 10, refreshes: true },
  overloaded: { status: 503, retryAfterSeconds: 5 },
  app_not_listening: { status: 502, retryAfterSeconds: 5 },
  app_bad_response: { status: 502 },
  app_timeout: { status: 504 },
  bad_request: { status: 400 },
  headers_too_large: { status: 431 },
};

/** What the service's page may do: nothing but show itself. A site's own page is the site's affair. */
const policyOfOurs = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

export type PageCode = keyof typeof sitePages.pt;

/** Returns the page of a site that does not run. A project that ran a moment ago is starting again. */
export function pageOfStatus(status: ProjectStatus): PageCode {
  switch (status) {
    case "creating":
    case "installing":
      return "site_installing";
    case "running":
    case "restarting":
      return "site_starting";
    case "stopped":
      return "site_stopped";
    case "crash_loop":
      return "site_crash_loop";
    case "error":
      return "site_error";
  }
}

/**
 * Sends a page; `html` is the site's own, which stands in the place of ours and reloads itself as ours does. A
 * large body that nobody will read ends the connection.
 */
export function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  code: PageCode,
  { html, ...values }: { port?: string; html?: string | undefined } = {},
): void {
  const page = table[code];
  const isJson = wantsJson(request);
  const body = html ?? bodyOf(code, { isJson, values });
  if (!request.complete && bodyBytes(request) > 1 << 20) response.shouldKeepAlive = false;
  const headers: OutgoingHttpHeaders = {
    "content-type":
      html === undefined && isJson ? "application/json; charset=utf-8" : "text/html; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    "cache-control": "no-store",
    ...(html === undefined ? { "content-security-policy": policyOfOurs } : {}),
    "x-content-type-options": "nosniff",
    vary: "accept",
    ...(page.retryAfterSeconds === undefined ? {} : { "retry-after": String(page.retryAfterSeconds) }),
    ...(html !== undefined && page.refreshes ? { refresh: String(page.retryAfterSeconds) } : {}),
  };
  response.writeHead(page.status, headers);
  response.end(body);
}

/** Returns the service's page. */
function bodyOf(code: PageCode, { isJson, values }: { isJson: boolean; values: { port?: string } }): string {
  const page = table[code];
  const fill = ({ title, text }: PageText): PageText => ({
    title,
    text: text.replace("{port}", values.port ?? "?"),
  });
  const portuguese = fill(sitePages.pt[code]);
  const english = fill(sitePages.en[code]);
  return isJson
    ? JSON.stringify({ status: "error", code, message: portuguese.text, messageEn: english.text, ...values })
    : pageDocument({
        status: page.status,
        code,
        portuguese,
        english,
        ...(page.refreshes && page.retryAfterSeconds !== undefined
          ? { refreshSeconds: page.retryAfterSeconds }
          : {}),
      });
}

/** Sends the visit to another name, with its method and body (308). */
export function sendRedirect(response: ServerResponse, location: string): void {
  response.shouldKeepAlive = false; // what is left of an upload is not read
  response.writeHead(308, { location, "content-length": "0", "cache-control": "no-store" });
  response.end();
}

/** Sends a short text of our own. */
export function sendText(response: ServerResponse, text: string): void {
  response.shouldKeepAlive = false;
  const length = String(Buffer.byteLength(text));
  response.writeHead(200, {
    "content-type": "text/plain; charset=utf-8",
    "content-length": length,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(text);
}

export function wantsJson({ headers: { accept } }: IncomingMessage): boolean {
  return (
    accept !== undefined &&
    /\bapplication\/(?:[\w.-]+\+)?json\b/i.test(accept) &&
    !/\btext\/html\b/i.test(accept)
  );
}

function bodyBytes(request: IncomingMessage): number {
  return request.headers["transfer-encoding"] === undefined
    ? Number(request.headers["content-length"] ?? 0)
    : Infinity;
}
