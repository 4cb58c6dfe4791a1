/** Provides an HTTP client that writes given bytes, for requests that a proper client does not make. */

import { connect, type Socket } from "node:net";
import { errorBody } from "@tijolo/protocol";
import { until } from "../until.ts";

export interface RawAnswer {
  status: number;
  headers: Map<string, string>;
  body: string;
  /** Value of `code` in an error body. */
  code: string | undefined;
}

export class RawHttp implements Disposable {
  readonly socket: Socket;
  #received = "";
  #failure: Error | undefined;

  /** Is called by {@link RawHttp.open} only. */
  constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding("latin1");
    socket.on("data", (text) => (this.#received += String(text)));
    socket.on("error", (error) => (this.#failure = error));
  }

  static async open(url: string): Promise<RawHttp> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const http = new RawHttp(socket);
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    return http;
  }

  /** Sends bytes. Resolves once they are with the kernel, or the connection is gone. */
  async send(bytes: string | Uint8Array): Promise<void> {
    await new Promise<void>((resolve) => {
      const finish = () => {
        this.socket.off("close", finish);
        resolve();
      };
      this.socket.once("close", finish);
      this.socket.write(bytes, "latin1", finish);
    });
  }

  get isOver(): boolean {
    return this.socket.destroyed;
  }

  /** Returns the next whole answer. Rejects when the connection ends without one. */
  async answer(timeoutMs = 30_000): Promise<RawAnswer> {
    return until(
      () => {
        const answer = this.#take();
        if (answer === undefined && this.socket.destroyed)
          throw new NoAnswerError(`no answer came: ${this.#failure?.message ?? "closed"}`);
        return answer;
      },
      { timeoutMs, isFinal: (error) => error instanceof NoAnswerError },
    );
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }

  #take(): RawAnswer | undefined {
    const end = this.#received.indexOf("\r\n\r\n");
    if (end < 0) return undefined;
    const [statusLine = "", ...lines] = this.#received.slice(0, end).split("\r\n");
    const headers = new Map(
      lines.map((line) => [
        line.slice(0, line.indexOf(":")).toLowerCase(),
        line.slice(line.indexOf(":") + 1).trim(),
      ]),
    );
    const length = Number(headers.get("content-length") ?? 0);
    const body = this.#received.slice(end + 4, end + 4 + length);
    if (body.length < length) return undefined;
    this.#received = this.#received.slice(end + 4 + length);
    return { status: Number(statusLine.split(" ")[1]), headers, body, code: codeOf(body) };
  }
}

/** Returns the head of a request to the host `test`. */
export function requestHead(method: string, path: string, headers: Record<string, string>): string {
  const lines = Object.entries({ host: "test", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

class NoAnswerError extends Error {
  override name = "NoAnswerError";
}

function codeOf(body: string): string | undefined {
  try {
    return errorBody.safeParse(JSON.parse(body)).data?.code;
  } catch {
    return undefined;
  }
}
