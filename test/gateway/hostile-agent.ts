/**
 * An agent's end of a tunnel that writes HTTP/2 frames of the test's own, also such as no library would send.
 */

import { request as requestHttp } from "node:http";
import type { Socket } from "node:net";

export type Fields = [name: string, value: string][];

export const frameTypes = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  altSvc: 10,
  origin: 12,
};
export const flags = { acknowledge: 1, endStream: 1, endHeaders: 4 };

export function frame(type: number, flag: number, streamId: number, payload: Buffer | string = ""): Buffer {
  const body = Buffer.from(payload);
  const head = Buffer.alloc(9);
  head.writeUIntBE(body.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flag, 4);
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, body]);
}

/** Encodes fields as they are, none from a table, none compressed (RFC 7541, 6.2.2). */
export function headers(streamId: number, fields: Fields, flag = 0): Buffer {
  return frame(frameTypes.headers, flags.endHeaders | flag, streamId, block(fields));
}

export function block(fields: Fields): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value, "latin1")]);
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

export function uint32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
}

/** Opens a tunnel and answers each request of central with what `answer` makes of its stream's number. */
export async function openHostileTunnel(
  centralPort: number,
  bearer: string,
  {
    answer,
    begin = frame(frameTypes.settings, 0, 0, Buffer.from([0, 8, 0, 0, 0, 1])),
  }: { answer: (streamId: number, socket: Socket) => Buffer; begin?: Buffer },
): Promise<Socket> {
  const request = requestHttp({
    host: "127.0.0.1",
    port: centralPort,
    path: "/link/tunnel",
    agent: false,
    headers: { connection: "Upgrade", upgrade: "tijolo-tunnel", authorization: `Bearer ${bearer}` },
  });
  request.end();
  const { socket, head } = await new Promise<{ socket: Socket; head: Buffer }>((resolve, reject) => {
    request
      .once("upgrade", (_, socket: Socket, head: Buffer) => resolve({ socket, head }))
      .once("error", reject);
  });
  const prefaceBytes = 24;
  let received: Buffer = Buffer.alloc(0);
  let skipped = prefaceBytes;
  const read = (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    while (received.length >= skipped + 9) {
      const head = received.subarray(skipped);
      const length = head.readUIntBE(0, 3);
      if (head.length < 9 + length) return;
      const [type, flag, streamId] = [head.readUInt8(3), head.readUInt8(4), head.readUInt32BE(5)];
      received = head.subarray(9 + length);
      skipped = 0;
      if (type === frameTypes.settings && flag === 0)
        socket.write(frame(frameTypes.settings, flags.acknowledge, 0));
      if (type === frameTypes.headers) socket.write(answer(streamId, socket));
    }
  };
  socket.on("error", () => {});
  socket.on("data", read);
  socket.write(begin);
  if (head.length > 0) read(head);
  return socket;
}
