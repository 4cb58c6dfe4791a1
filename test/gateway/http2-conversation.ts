/** Speaks HTTP/2 byte by byte, as no library does (RFC 9113): frames in any order and number. */

import { once } from "node:events";
import { connect, type Socket } from "node:net";

export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;
export type FrameType = keyof typeof frameTypes;
export const flags = { endStream: 1, acknowledge: 1, endHeaders: 4 } as const;

export interface Frame {
  type: FrameType | null;
  streamId: number;
  payload: Buffer;
}

const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const headBytes = 9;

/** Returns the bytes of a frame. */
export function frame(type: FrameType, streamId: number, payload: Uint8Array, flag = 0): Buffer {
  const bytes = Buffer.alloc(headBytes + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes.writeUInt8(frameTypes[type], 3);
  bytes.writeUInt8(flag, 4);
  bytes.writeUInt32BE(streamId, 5);
  bytes.set(payload, headBytes);
  return bytes;
}

/** Returns the fields as HPACK writes them without any table (RFC 7541 §6.2.2); texts have 126 bytes at most. */
export function headerBlock(fields: Record<string, string>): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
  return Buffer.concat(
    Object.entries(fields).flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]),
  );
}

/** Returns the head of a request for a site. */
export function requestBlock(host: string, more: Record<string, string> = {}): Buffer {
  return headerBlock({ ":method": "GET", ":scheme": "http", ":path": "/", ":authority": host, ...more });
}

export class Http2Conversation implements Disposable {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  isClosed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk) => (this.#received = Buffer.concat([this.#received, chunk])));
    socket.on("error", () => {});
    socket.once("close", () => (this.isClosed = true));
  }

  /** Connects without TLS and begins, by prior knowledge, with the preface and empty settings. */
  static async open(port: number): Promise<Http2Conversation> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(preface);
    socket.write(frame("settings", 0, Buffer.alloc(0)));
    return new Http2Conversation(socket);
  }

  /** Sends the bytes; resolves once the kernel has them, or the other side has closed. */
  async send(bytes: Uint8Array): Promise<void> {
    if (this.isClosed || this.#socket.write(bytes)) return;
    await Promise.race(["drain", "close"].map((event) => once(this.#socket, event))).catch(() => {});
  }

  /** All frames that have come. */
  frames(): Frame[] {
    const names = Object.keys(frameTypes) as FrameType[];
    const found: Frame[] = [];
    for (let at = 0; at + headBytes <= this.#received.length;) {
      const length = this.#received.readUIntBE(at, 3);
      const type = this.#received.readUInt8(at + 3);
      const streamId = this.#received.readUInt32BE(at + 5);
      const payload = this.#received.subarray(at + headBytes, at + headBytes + length);
      found.push({ type: names.find((name) => frameTypes[name] === type) ?? null, streamId, payload });
      at += headBytes + length;
    }
    return found;
  }

  /** Error code with which the other side ends the connection (RFC 9113 §7); null while it has not. */
  goAway(): number | null {
    const last = this.frames().findLast(({ type }) => type === "goAway");
    return last?.payload.readUInt32BE(4) ?? null;
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}
