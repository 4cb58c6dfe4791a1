/**
 * Serves `GET /link/archives/<sha256>`: a stored archive for a host that has a project with it; resumable,
 * bounded, ended with the host's rights.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import { endEmpty, serveBytes } from "@tijolo/protocol/kit";
import type { LinkBackend } from "../app/host-projects/link-backend.ts";
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
    if (hostId === undefined) endEmpty(response, 401);
    else if (request.method !== "GET" && request.method !== "HEAD")
      endEmpty(response, 405, { Allow: "GET, HEAD" });
    else if (!/^[0-9a-f]{64}$/.test(sha256)) endEmpty(response, 404);
    else if (this.#isClosed || this.#countOf(hostId) >= this.#options.bounds.maxDownloads)
      endEmpty(response, 503, { "Retry-After": "1" });
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
        if (!response.headersSent) endEmpty(response, 500);
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
    if (archive === undefined) return endEmpty(response, 404);
    if (!archive.isStored) return endEmpty(response, 410);
    await serveBytes(request, response, {
      sizeBytes: archive.sizeBytes,
      etag: `"${sha256}"`,
      contentType: "application/zip",
      idleMs: this.#options.bounds.downloadIdleMs,
      open: (range) => archive.open(range),
    });
  }
}
