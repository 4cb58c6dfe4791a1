/** Serves `GET /install/<sha256>`: the scripts that install a host or a gateway, and the archives that they ask for. */

import { createReadStream } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { endEmpty, serveBytes } from "@tijolo/protocol/kit";
import type { InstallFile } from "../app/hosts/machine-installer.ts";
import type { LinkLogger } from "./link-options.ts";

const maxAtOnce = 16;
const idleMs = 30_000;

export interface InstallFilesOptions {
  find: (sha256: string) => Promise<InstallFile | undefined>;
  logger: LinkLogger;
}

export class InstallFiles {
  readonly #options: InstallFilesOptions;
  #underWay = 0;

  constructor(options: InstallFilesOptions) {
    this.#options = options;
  }

  /** Takes a request for such a file; false for another path. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const [, sha256] = /^\/install\/([0-9a-f]{64})$/.exec(request.url ?? "") ?? [];
    if (sha256 === undefined) return false;
    if (request.method !== "GET" && request.method !== "HEAD")
      endEmpty(response, 405, { Allow: "GET, HEAD" });
    else if (this.#underWay >= maxAtOnce) endEmpty(response, 503, { "Retry-After": "5" });
    else void this.#send(sha256, request, response);
    return true;
  }

  async #send(sha256: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#underWay++;
    try {
      const file = await this.#options.find(sha256);
      if (response.destroyed) return;
      if (file === undefined) return endEmpty(response, 404);
      if (file.kind === "text") {
        const bytes = Buffer.from(file.text);
        response.writeHead(200, { "Content-Type": "text/x-shellscript", "Content-Length": bytes.length });
        return void response.end(bytes);
      }
      const { path, sizeBytes } = file;
      await serveBytes(request, response, {
        sizeBytes,
        etag: `"${sha256}"`,
        contentType: "application/gzip",
        idleMs,
        open: (range) => createReadStream(path, range),
      });
    } catch (error) {
      this.#options.logger.warn({ err: error, sha256 }, "an install file broke off");
      if (!response.headersSent) endEmpty(response, 500);
      else response.destroy();
    } finally {
      this.#underWay--;
    }
  }
}
