/**
 * Stands before a registry and does to blobs what networks do: cuts them, stalls them, sends visitors
 * elsewhere; and writes down what it was asked.
 */

import { once } from "node:events";
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";

export interface SeenRequest {
  path: string;
  range: string | undefined;
  authorization: string | undefined;
  /** Bytes of the answer's body that went out. */
  sentBytes: number;
}

export interface BlobTreatment {
  /** Number of bytes of a blob after which the fault happens; smaller blobs pass. */
  afterBytes: number;
  then: "cut" | "stall";
  /** Number of blob requests that get the fault. */
  times: number;
}

export class RegistryProxy implements AsyncDisposable {
  readonly seen: SeenRequest[] = [];
  treatment: BlobTreatment | null = null;
  /** Origin that blobs are redirected to; null: given here. */
  redirectBlobsTo: string | null = null;
  /**
   * Answered to the next requests, with the headers, before anything is asked of the registry; null lets one
   * pass.
   */
  refusals: ({ statusCode: number; headers: Record<string, string> } | null)[] = [];
  isStalled = false;
  readonly #server: Server;
  readonly #upstream: string;

  private constructor(upstream: string) {
    this.#upstream = upstream;
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  static async start(upstreamHost: string): Promise<RegistryProxy> {
    const proxy = new RegistryProxy(upstreamHost);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get host(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return `127.0.0.1:${address.port}`;
  }

  blobRequests(): SeenRequest[] {
    return this.seen.filter(({ path }) => path.includes("/blobs/"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? "/";
    const seen: SeenRequest = {
      path,
      range: request.headers.range,
      authorization: request.headers.authorization,
      sentBytes: 0,
    };
    this.seen.push(seen);
    const refusal = this.refusals.shift();
    if (refusal) return void response.writeHead(refusal.statusCode, refusal.headers).end();
    const isBlob = path.includes("/blobs/");
    if (isBlob && this.redirectBlobsTo !== null) {
      return void response.writeHead(307, { location: `${this.redirectBlobsTo}${path}` }).end();
    }
    const outgoing = forward(`http://${this.#upstream}${path}`, {
      method: request.method,
      headers: { ...request.headers, host: this.#upstream },
    });
    outgoing.on("error", () => response.destroy());
    outgoing.on("response", (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, incoming.headers);
      const treatment = isBlob ? this.#nextTreatment(Number(incoming.headers["content-length"] ?? 0)) : null;
      incoming.on("data", (chunk: Buffer) => this.#pass(chunk, response, seen, treatment));
      incoming.on("end", () => treatment === null && response.end());
      incoming.on("error", () => response.destroy());
    });
    request.pipe(outgoing);
  }

  #nextTreatment(lengthBytes: number): BlobTreatment | null {
    const { treatment } = this;
    if (treatment === null || treatment.times === 0 || lengthBytes <= treatment.afterBytes) return null;
    treatment.times--;
    return treatment;
  }

  #pass(chunk: Buffer, response: ServerResponse, seen: SeenRequest, treatment: BlobTreatment | null): void {
    if (response.destroyed || response.writableEnded) return;
    const leftBytes = treatment === null ? chunk.length : treatment.afterBytes - seen.sentBytes;
    const piece = chunk.subarray(0, Math.max(leftBytes, 0));
    seen.sentBytes += piece.length;
    response.write(piece);
    if (treatment === null || seen.sentBytes < treatment.afterBytes) return;
    if (treatment.then === "cut") response.end().socket?.destroySoon();
    else this.isStalled = true;
  }
}
