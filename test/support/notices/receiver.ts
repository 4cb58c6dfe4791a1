/** Runs a server on loopback that receives webhooks, and answers each as a test says. */

import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import { until } from "../until.ts";

export interface ReceivedHook {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The body as a document. */
  json: Record<string, unknown>;
}

export class Receiver implements AsyncDisposable {
  readonly hooks: ReceivedHook[] = [];
  /** Answers a request, or leaves it without an answer. Default: 204. */
  answer: (response: ServerResponse, hook: ReceivedHook) => void = (response) => {
    response.writeHead(204).end();
  };
  port = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const body = Buffer.concat(chunks).toString("utf8");
        const json = JSON.parse(body === "" ? "{}" : body) as Record<string, unknown>;
        const hook = { path: request.url ?? "", headers: request.headers, body, json };
        this.hooks.push(hook);
        this.answer(response, hook);
      });
    });
  }

  static async open(): Promise<Receiver> {
    const receiver = new Receiver();
    await once(receiver.#server.listen(0, "127.0.0.1"), "listening");
    const address = receiver.#server.address();
    receiver.port = typeof address === "object" && address !== null ? address.port : 0;
    return receiver;
  }

  /** Returns an address of it; `host` is a name or another form of the same address. */
  url(path = "/hook", host = "127.0.0.1"): string {
    return `http://${host}:${this.port}${path}`;
  }

  /** Resolves with the hooks once there are as many. */
  received(count: number): Promise<ReceivedHook[]> {
    return until(() => (this.hooks.length >= count ? this.hooks : undefined), { timeoutMs: 30_000 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
