/**
 * Shows a visitor why a site does not answer: by the page of the site's own where it has one, else by the
 * gateway's.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { SitePageStatus } from "@tijolo/protocol";
import type { Guard } from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import { sendPage, wantsJson, type PageCode } from "./pages.ts";

/** Finds the HTML of a site's own page; called for each page that is shown. */
export type FindOwnPage = (projectId: string, status: SitePageStatus) => Promise<string | undefined>;

/** Shows a page, unless one is shown or an answer has begun. */
export type ShowPage = (code: PageCode, values?: { port?: string }) => void;

export interface ShowPageOptions {
  request: IncomingMessage;
  response: ServerResponse;
  projectId: string;
  findOwnPage: FindOwnPage;
  guard: Guard;
  logger: Pick<Logger, "warn">;
}

export function createShowPage(options: ShowPageOptions): ShowPage {
  const { request, response, projectId, findOwnPage, guard, logger } = options;
  let isShown = false;
  return (code, values = {}) => {
    if (isShown || response.headersSent) return;
    isShown = true;
    const status = ownPageOf(code);
    if (status === null || wantsJson(request)) return sendPage(request, response, code, values);
    const send = guard((html: string | undefined) => sendPage(request, response, code, { ...values, html }));
    findOwnPage(projectId, status).then(send, (error: unknown) => {
      logger.warn({ err: error }, "a site's own page could not be read");
      send(undefined);
    });
  };
}

/** Returns which of a site's own pages stands for this one; null for what is the visitor's fault. */
function ownPageOf(code: PageCode): SitePageStatus | null {
  switch (code) {
    case "site_starting":
    case "site_installing":
    case "site_stopped":
    case "site_error":
    case "site_crash_loop":
    case "host_unreachable":
    case "overloaded":
      return "503";
    case "app_not_listening":
    case "app_bad_response":
      return "502";
    case "app_timeout":
      return "504";
    case "file_not_found":
      return "404";
    case "site_maintenance":
      return "maintenance";
    case "site_not_found":
    case "bad_request":
    case "headers_too_large":
      return null;
  }
}
