/**
 * Visitors in a process of their own: each connection sends a request when the last one is answered. On plain
 * sockets, to cost little.
 */

import { connect, type Socket } from "node:net";

export interface Load {
  port: number;
  method: "GET" | "PATCH";
  targets: { path: string; key: string }[];
  connections: number;
  /** Milliseconds for which requests go to targets chosen by chance; null: each target gets one request. */
  durationMs: number | null;
}

export interface LoadResult {
  requests: number;
  requestsPerSecond: number;
  medianMs: number;
  p99Ms: number;
}

process.on("message", async (load: Load) => process.send?.(await visit(load)));

async function visit(load: Load): Promise<LoadResult> {
  const times: number[] = [];
  const requests = load.targets.map((target) => requestTo(load, target));
  const startedMs = performance.now();
  const next =
    load.durationMs === null ? eachOnce(requests) : atRandom(requests, startedMs + load.durationMs);
  await Promise.all(Array.from({ length: load.connections }, () => visitor(load.port, next, times)));
  const seconds = (performance.now() - startedMs) / 1_000;
  times.sort((a, b) => a - b);
  const quantile = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return {
    requests: times.length,
    requestsPerSecond: times.length / seconds,
    medianMs: quantile(0.5),
    p99Ms: quantile(0.99),
  };
}

function requestTo({ port, method }: Load, { path, key }: Load["targets"][number]): string {
  const body = method === "PATCH" ? JSON.stringify({ description: Math.random().toString(36) }) : "";
  const bodyHeaders =
    body === "" ? "" : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\nAccept: application/json\r\n${bodyHeaders}\r\n${body}`;
}

/** Undefined when there is nothing more to ask. */
type NextRequest = () => string | undefined;

function eachOnce(requests: string[]): NextRequest {
  let position = 0;
  return () => requests[position++];
}

function atRandom(requests: string[], endMs: number): NextRequest {
  return () =>
    performance.now() < endMs ? requests[Math.floor(Math.random() * requests.length)] : undefined;
}

function visitor(port: number, next: NextRequest, times: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let received = "";
    let sentMs = 0;
    const send = () => {
      const request = next();
      sentMs = performance.now();
      if (request === undefined) socket.end();
      else socket.write(request);
    };
    socket.setEncoding("latin1");
    socket.once("connect", send);
    socket.on("data", (chunk: string) => {
      received += chunk;
      if (!isWhole(received)) return;
      if (!received.startsWith("HTTP/1.1 200 "))
        return void socket.destroy(new Error(received.slice(0, 800)));
      received = "";
      times.push(performance.now() - sentMs);
      send();
    });
    socket.once("error", reject);
    socket.once("close", () => resolve());
  });
}

function isWhole(answer: string): boolean {
  const headEnd = answer.indexOf("\r\n\r\n");
  if (headEnd < 0) return false;
  const length = /content-length: (\d+)/i.exec(answer.slice(0, headEnd))?.[1];
  if (length === undefined) throw new Error("an answer without content-length");
  return answer.length >= headEnd + 4 + Number(length);
}
