/**
 * Opens the resolver's sockets. A second process may open the same port before the first one closes it, so
 * that an upgrade drops no query.
 */

import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { endSocket } from "@tijolo/protocol/kit";
import type { Resolver } from "./resolver.ts";
import { splitFrames, toFrame } from "./tcp-frames.ts";

export interface ServeOptions {
  resolver: Pick<Resolver, "answer">;
  address: string;
  port: number;
}

export interface ResolverServer {
  port: number;
  close(): Promise<void>;
}

const connectionsPerProject = 16;
const connectionsInAll = 256;
const idleMs = 10_000;
/** Most bytes of a query: a name of 255 bytes and some options. */
const questionBytes = 4_096;

export async function serve(options: ServeOptions): Promise<ResolverServer> {
  const udp = await serveUdp(options);
  const { port } = udp.address();
  const connections = new Set<Socket>();
  const tcp = await serveTcp({ ...options, port }, connections);
  return {
    port,
    async close() {
      udp.close();
      tcp.close();
      for (const connection of connections) connection.destroy();
      await once(tcp, "close");
    },
  };
}

async function serveUdp({ resolver, address, port }: ServeOptions): Promise<UdpSocket> {
  const socket = createSocket({ type: "udp4", reusePort: true });
  socket.on("message", (message, from) => {
    if (message.length > questionBytes) return;
    void resolver
      .answer(message, { address: from.address, port: from.port, transport: "udp" })
      .then((reply) => {
        if (reply === null) return;
        try {
          socket.send(reply, from.port, from.address, () => {}); // an asker that is gone is no error of ours
        } catch {
          // Closed meanwhile.
        }
      });
  });
  socket.bind({ address, port });
  await once(socket, "listening");
  return socket;
}

async function serveTcp(
  { resolver, address, port }: ServeOptions,
  connections: Set<Socket>,
): Promise<Server> {
  const server = createServer((socket) => {
    const asker = socket.remoteAddress ?? "";
    const own = [...connections].filter(({ remoteAddress }) => remoteAddress === asker).length;
    socket.on("error", () => {});
    if (own >= connectionsPerProject || connections.size >= connectionsInAll) return void socket.destroy();
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
    socket.setTimeout(idleMs, () => socket.destroy());
    void converse(resolver, socket).catch(() => socket.destroy());
  });
  server.listen({ host: address, port, reusePort: true });
  await once(server, "listening");
  return server;
}

/** Answers one question after the other: a client that sends many waits for the answers. */
async function converse(resolver: ServeOptions["resolver"], socket: Socket): Promise<void> {
  const asker = {
    address: socket.remoteAddress ?? "",
    port: socket.remotePort ?? 0,
    transport: "tcp",
  } as const;
  const closed = new AbortController();
  socket.once("close", () => closed.abort());
  let received: Buffer = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    const { frames, rest } = splitFrames(Buffer.concat([received, chunk]));
    received = rest;
    if (rest.length >= 2 && rest.readUInt16BE(0) > questionBytes) break;
    for (const frame of frames) {
      const reply = frame.length > questionBytes ? null : await resolver.answer(frame, asker);
      if (reply === null) return void socket.destroy();
      if (!socket.write(toFrame(reply))) await once(socket, "drain", { signal: closed.signal });
    }
  }
  endSocket(socket);
}
