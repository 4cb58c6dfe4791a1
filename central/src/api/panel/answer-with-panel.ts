/** Answers requests outside the interface with the panel: its files, and its one document for every page. */

import type { FastifyReply, FastifyRequest } from "fastify";
import { isKnown } from "../docs/send-document.ts";
import { acceptsCoding } from "../edge/accepts-coding.ts";
import { languageOf } from "../edge/answer-language.ts";
import { documentPath, type PanelFile, type PanelFiles } from "./panel-files.ts";
import { panelHeaders } from "./panel-headers.ts";
import { preparingHeaders, preparingPage, retryAfterSeconds } from "./preparing-page.ts";

/**
 * Answers when the path is a file of the panel, or when the client wants a page. Returns false, with nothing
 * sent, for all other requests: they lead nowhere. Neither keys nor sessions are looked at, and nothing is
 * counted against a rate limit: a file costs no more than a refusal.
 */
export async function answerWithPanel(
  files: PanelFiles,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const [path = ""] = request.url.split("?", 1);
  if (!["GET", "HEAD"].includes(request.method) || isOfPrograms(path)) return false;
  const build = await files.find();
  const file = build?.files.get(path === "/" ? documentPath : path);
  if (file !== undefined) {
    sendFile(file, request, reply);
    return true;
  }
  if (path.startsWith("/assets/") || !wantsPage(request.headers.accept)) return false;
  const document = build?.files.get(documentPath);
  if (document === undefined) sendPreparing(request, reply);
  else sendFile(document, request, reply);
  return true;
}

/** True for the addresses of the interface and of the agents' link. */
function isOfPrograms(path: string): boolean {
  return /^\/(?:api|link)(?:\/|$)/.test(path);
}

/** True when HTML is named: programs accept anything, and would take a page for their answer. */
function wantsPage(accept: string | undefined): boolean {
  return /\btext\/html\b/i.test(accept ?? "");
}

function sendFile(file: PanelFile, request: FastifyRequest, reply: FastifyReply): void {
  const accepted = request.headers["accept-encoding"];
  const coding = (["br", "gzip"] as const).find((name) => file[name] && acceptsCoding(accepted, name));
  const { bytes, etag } = (coding && file[coding]) ?? file.plain;
  reply.headers(panelHeaders);
  reply.header("cache-control", file.isHashed ? "public, max-age=31536000, immutable" : "no-cache");
  reply.header("vary", "accept-encoding");
  reply.header("etag", etag);
  if (isKnown(request.headers["if-none-match"], etag)) {
    reply.code(304).send();
    return;
  }
  if (coding !== undefined) reply.header("content-encoding", coding);
  reply.code(200).header("content-type", file.contentType).send(bytes);
}

function sendPreparing(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(preparingHeaders);
  reply.header("cache-control", "no-store");
  reply.header("vary", "accept-language");
  reply.header("retry-after", String(retryAfterSeconds));
  reply.code(503).header("content-type", "text/html; charset=utf-8");
  reply.send(preparingPage(languageOf(request.headers["accept-language"])));
}
