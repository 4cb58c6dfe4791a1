/**
 * `GET /link/archives/<sha256>`: a stored archive for a host that has a project with it; resumable, bounded,
 * ended with the host's rights.
 */

import { createReadStream, existsSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { readRange } from "./byte-range.ts";
import type { LinkBackend } from "../app/hosts/link-backend.ts";
import type { LinkBounds, LinkLogger } from "./link-options.ts";

export interface ArchiveDownloadsOptions {
  backend: LinkBackend;
  bounds: Pick<LinkBounds, "maxDownloads" | "downloadIdleMs">;
  logger: LinkLogger;
  hostOfBearer: (bearer: string) => string | undefined;
}

export class ArchiveDownloads {
  readonly #options: ArchiveDownloadsOptions;
  readonly #underWay = new Map<ServerResponse, { hostId: string; done: Promise<void> }>();
  #isClosed = false;

  constructor(options: ArchiveDownloadsOptions) {
    this.#options = options;
  }

  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const [, sha256] = /^\/link\/archives\/([^/?]*)(?:\?.*)?$/.exec(request.url ?? "") ?? [];
    if (sha256 === undefined) return false;
    const bearer = /^Bearer ([A-Za-z0-9_-]+)$/.exec(request.headers.authorization ?? "")?.[1];
    const hostId = bearer === undefined ? undefined : this.#options.hostOfBearer(bearer);
    if (hostId === undefined) answer(response, 401);
    else if (request.method !== "GET" && request.method !== "HEAD")
      answer(response, 405, { Allow: "GET, HEAD" });
    else if (!/^[0-9a-f]{64}$/.test(sha256)) answer(response, 404);
    else if (this.#isClosed || this.#countOf(hostId) >= this.#options.bounds.maxDownloads)
      answer(response, 503, { "Retry-After": "1" });
    else this.#start(hostId, sha256, request, response);
    return true;
  }

  /** Cuts the downloads of a host that has lost its rights. */
  endOf(hostId: string): void {
    for (const [response, download] of this.#underWay) {
      if (download.hostId === hostId) response.destroy();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#underWay];
    for (const [response] of all) response.destroy();
    await Promise.all(all.map(([, { done }]) => done));
  }

  #countOf(hostId: string): number {
    return [...this.#underWay.values()].filter((download) => download.hostId === hostId).length;
  }

  #start(hostId: string, sha256: string, request: IncomingMessage, response: ServerResponse): void {
    const done = this.#send(hostId, sha256, request, response)
      .catch((error: unknown) => {
        this.#options.logger.warn({ err: error, hostId, sha256 }, "link: an archive download broke off");
        if (!response.headersSent) answer(response, 500);
        else response.destroy();
      })
      .finally(() => this.#underWay.delete(response));
    this.#underWay.set(response, { hostId, done });
  }

  async #send(
    hostId: string,
    sha256: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const archive = await this.#options.backend.findArchive(hostId, sha256);
    if (response.destroyed) return;
    if (archive === undefined) return answer(response, 404);
    const { sizeBytes, path } = archive;
    if (!existsSync(path)) return answer(response, 410);
    const tag = `"${sha256}"`;
    const ifRange = request.headers["if-range"];
    const range =
      ifRange === undefined || ifRange === tag ? readRange(request.headers.range, sizeBytes) : "whole";
    if (range === "outside") return answer(response, 416, { "Content-Range": `bytes */${sizeBytes}` });
    const part = range === "whole" ? { start: 0, end: sizeBytes - 1 } : range;
    response.writeHead(range === "whole" ? 200 : 206, {
      "Content-Type": "application/zip",
      "Content-Length": part.end - part.start + 1,
      "Accept-Ranges": "bytes",
      "Cache-Control": "no-store",
      ETag: tag,
      ...(range === "whole" ? {} : { "Content-Range": `bytes ${part.start}-${part.end}/${sizeBytes}` }),
    });
    if (request.method === "HEAD" || sizeBytes === 0) return void response.end();
    response.setTimeout(this.#options.bounds.downloadIdleMs, () => response.destroy());
    await pipeline(createReadStream(path, part), response);
  }
}

function answer(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "Content-Length": 0, ...headers });
  response.end();
}
