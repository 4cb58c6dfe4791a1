/** Visitors in a process of their own: each connection sends a request when the last one is answered. On plain sockets, to cost little. */

import { connect, type Socket } from "node:net";

export interface Load {
  port: number;
  path: string;
  key: string;
  connections: number;
  durationMs: number;
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
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: load.connections }, () => visitor(load, startedMs + load.durationMs, times)));
  const seconds = (performance.now() - startedMs) / 1_000;
  times.sort((a, b) => a - b);
  const quantile = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { requests: times.length, requestsPerSecond: times.length / seconds, medianMs: quantile(0.5), p99Ms: quantile(0.99) };
}

function visitor({ port, path, key }: Load, endMs: number, times: number[]): Promise<void> {
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\nAccept: application/json\r\n\r\n`;
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let received = "";
    let sentMs = 0;
    const send = () => {
      sentMs = performance.now();
      socket.write(request);
    };
    socket.setEncoding("latin1");
    socket.once("connect", send);
    socket.on("data", (chunk: string) => {
      received += chunk;
      if (!isWhole(received)) return;
      if (!received.startsWith("HTTP/1.1 200 ")) return void socket.destroy(new Error(received.slice(0, 200)));
      received = "";
      const nowMs = performance.now();
      times.push(nowMs - sentMs);
      if (nowMs < endMs) send();
      else socket.end();
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
