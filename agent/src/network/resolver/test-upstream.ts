/**
 * Runs an upstream resolver for tests: answers every query with the A record 192.0.2.1, or with the test's
 * records, over UDP and TCP.
 */

import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { decode, encode, type Answer, type Packet } from "dns-packet";
import { splitFrames, toFrame } from "./tcp-frames.ts";

export interface FakeUpstreamOptions {
  address?: string;
  port?: number;
  isSilent?: boolean;
  delayMs?: number;
  /** True to listen on TCP as well. Default: true. */
  hasTcp?: boolean;
  /** Changes an answer to a question over UDP before it is sent. */
  change?: (answer: Buffer) => Buffer[];
  /** Records by name and type ("a.example AAAA"). When given, other questions get no record. */
  records?: Readonly<Record<string, Answer[]>>;
}

export class FakeUpstream {
  readonly address: string;
  readonly port: number;
  /** Names that were asked for, over UDP and TCP. */
  readonly asked: string[] = [];
  askedByTcp = 0;
  isSilent: boolean;
  #isClosed = false;
  readonly #udp: UdpSocket;
  readonly #tcp: Server;
  readonly #records: FakeUpstreamOptions["records"];

  private constructor(udp: UdpSocket, tcp: Server, { isSilent = false, records }: FakeUpstreamOptions) {
    const { address, port } = udp.address();
    this.address = address;
    this.port = port;
    this.isSilent = isSilent;
    this.#records = records;
    this.#udp = udp;
    this.#tcp = tcp;
  }

  static async open(options: FakeUpstreamOptions = {}): Promise<FakeUpstream> {
    const { address = "127.0.0.1", port = 0, delayMs = 0, hasTcp = true, change } = options;
    const { udp, tcp } = await openBoth(address, port);
    const upstream = new FakeUpstream(udp, tcp, options);
    udp.on("message", (message, from) => {
      const answer = upstream.#answer(message);
      if (upstream.isSilent) return;
      setTimeout(() => {
        for (const each of upstream.#isClosed ? [] : (change?.(answer) ?? [answer]))
          udp.send(each, from.port, from.address, () => {});
      }, delayMs);
    });
    tcp.on("connection", (socket) => {
      if (!hasTcp) return socket.destroy();
      socket.on("error", () => {});
      socket.on("data", (chunk: Buffer) => {
        for (const frame of splitFrames(chunk).frames) {
          upstream.askedByTcp++;
          socket.write(toFrame(upstream.#answer(frame)));
        }
      });
    });
    return upstream;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#udp.close();
    this.#tcp.close();
    await once(this.#tcp, "close");
  }

  #answer(message: Buffer): Buffer {
    const { id, questions = [] } = decode(message);
    const { name = "", type = "" } = questions[0] ?? {};
    this.asked.push(name);
    const fixed: Packet["answers"] = [{ type: "A", name, ttl: 60, data: "192.0.2.1" }];
    const answers = this.#records === undefined ? fixed : (this.#records[`${name} ${type}`] ?? []);
    return encode({ type: "response", id: id ?? 0, flags: 0x180, questions, answers });
  }
}

/** Opens UDP and TCP on one port; tries another when the kernel's choice for UDP is taken for TCP. */
async function openBoth(address: string, port: number): Promise<{ udp: UdpSocket; tcp: Server }> {
  for (let attempt = 1; ; attempt++) {
    const udp = createSocket("udp4").bind(port, address);
    await once(udp, "listening");
    const tcp = createServer();
    try {
      tcp.listen(udp.address().port, address);
      await once(tcp, "listening");
      return { udp, tcp };
    } catch (error) {
      udp.close();
      if (attempt === 10 || port !== 0) throw error;
    }
  }
}
