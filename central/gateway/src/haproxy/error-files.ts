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

/** Statuses that rules of the configuration answer by a page, or in JSON, and what each says. */
const ruleAnswers = {
  404: "file_not_found",
  405: "bad_request",
  421: "bad_request",
  429: "overloaded",
  431: "headers_too_large",
  503: "overloaded",
} as const satisfies Record<number, keyof typeof sitePages.pt>;

/** Failures of programs, which rules answer in JSON alone: the page is the site's own. */
const failureAnswers = {
  502: "app_bad_response",
  504: "app_timeout",
} as const satisfies Record<number, keyof typeof sitePages.pt>;

/** Options of a rule that sends one of these pages. */
const pageHeaders = `hdr Cache-Control no-store hdr Vary accept hdr X-Content-Type-Options nosniff hdr Content-Security-Policy "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"`;

/** Condition of a rule: the visitor asks for JSON, and not for HTML. */
export const isJsonWanted =
  "{ req.hdr(accept) -m reg -i application/([a-z0-9_.-]+[+])?json } !{ req.hdr(accept) -m sub -i text/html }";

/** Describes a rule of the configuration that answers in the place of a program. */
export interface RuleAnswer<Status = keyof typeof ruleAnswers> {
  /** Directory of the files that {@link writeErrorFiles} writes. */
  run: string;
  status: Status;
  condition: string;
  /** Further options of the rule. Default: none. */
  options?: string | undefined;
}

type AnyAnswer = RuleAnswer<keyof typeof ruleAnswers | keyof typeof failureAnswers>;

type RuleKind = "http-request" | "http-response";

/** Returns the rules that answer in JSON where `json` holds, and else by a page. */
export function answerBy(kind: RuleKind, answer: RuleAnswer, json = isJsonWanted): string {
  return `${answerInJson(kind, answer, json)}\n${returnRule(kind, answer, { type: "text/html", file: "html" })}`;
}

/** Returns the rule that answers in JSON where `json` holds. */
export function answerInJson(kind: RuleKind, answer: AnyAnswer, json = isJsonWanted): string {
  const condition = `${answer.condition} ${json}`;
  return returnRule(kind, { ...answer, condition }, { type: "application/json", file: "json" });
}

function returnRule(
  kind: RuleKind,
  { run, status, condition, options }: AnyAnswer,
  { type, file }: { type: string; file: string },
): string {
  const headers = options === undefined ? pageHeaders : `${pageHeaders} ${options}`;
  return `    ${kind} return status ${status} content-type "${type}; charset=utf-8" file ${run}/${status}.${file} ${headers} if ${condition}`;
}

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
  for (const [status, code] of Object.entries(ruleAnswers))
    await writeFile(join(directory, `${status}.html`), document(Number(status), code));
  for (const [status, code] of Object.entries({ ...ruleAnswers, ...failureAnswers })) {
    const [{ text: message }, { text: messageEn }] = [sitePages.pt[code], sitePages.en[code]];
    await writeFile(
      join(directory, `${status}.json`),
      JSON.stringify({ status: "error", code, message, messageEn }),
    );
  }
}

function document(status: number, code: keyof typeof sitePages.pt): string {
  return pageDocument({ status, code, portuguese: sitePages.pt[code], english: sitePages.en[code] });
}
