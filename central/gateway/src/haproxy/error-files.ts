/** Writes the pages that HAProxy itself sends: constant text, also for when no other program answers. */

import { STATUS_CODES } from "node:http";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pageDocument, sitePages } from "@tijolo/protocol/texts/central";

/** Statuses that HAProxy answers by itself, and the page of each. */
export const errorPages = {
  400: "bad_request",
  408: "bad_request",
  429: "overloaded",
  500: "host_unreachable",
  502: "app_bad_response",
  503: "host_unreachable",
  504: "app_timeout",
} as const satisfies Record<number, keyof typeof sitePages.pt>;

/** Pages that rules of the configuration send, by the names of their files. */
export const rulePages = {
  "404.html": { status: 404, code: "file_not_found" },
  "405.html": { status: 405, code: "bad_request" },
  "421.html": { status: 421, code: "bad_request" },
  "431.html": { status: 431, code: "headers_too_large" },
  "429.html": { status: 429, code: "overloaded" },
  "503.html": { status: 503, code: "overloaded" },
} as const satisfies Record<string, { status: number; code: keyof typeof sitePages.pt }>;

/** Statuses for which rules of the configuration send JSON to those who ask for it, by the names of their files. */
export const ruleDocuments = {
  "404.json": "file_not_found",
  "502.json": "app_bad_response",
  "504.json": "app_timeout",
} as const satisfies Record<string, keyof typeof sitePages.pt>;

/** Options of a rule that sends one of these pages. */
export const pageHeaders = `hdr Cache-Control no-store hdr Vary accept hdr X-Content-Type-Options nosniff hdr Content-Security-Policy "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"`;

/** Condition of a rule: the visitor asks for JSON, and not for HTML. */
export const isJsonWanted =
  "{ req.hdr(accept) -m reg -i application/([a-z0-9_.-]+[+])?json } !{ req.hdr(accept) -m sub -i text/html }";

export async function writeErrorFiles(directory: string): Promise<void> {
  for (const [status, code] of Object.entries(errorPages)) {
    const body = document(Number(status), code);
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "Cache-Control: no-store",
      "Content-Type: text/html; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    await writeFile(join(directory, `${status}.http`), `${head.join("\r\n")}\r\n\r\n${body}`);
  }
  for (const [name, { status, code }] of Object.entries(rulePages))
    await writeFile(join(directory, name), document(status, code));
  for (const [name, code] of Object.entries(ruleDocuments)) {
    const [{ text: message }, { text: messageEn }] = [sitePages.pt[code], sitePages.en[code]];
    await writeFile(join(directory, name), JSON.stringify({ status: "error", code, message, messageEn }));
  }
}

function document(status: number, code: keyof typeof sitePages.pt): string {
  return pageDocument({ status, code, portuguese: sitePages.pt[code], english: sitePages.en[code] });
}
