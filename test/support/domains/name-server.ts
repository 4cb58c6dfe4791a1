/**
 * Runs a DNS server for tests: the authority of the zones that a test writes, and the resolver that finds it. It
 * speaks UDP and TCP; what does not fit into 512 bytes of UDP is truncated.
 */

import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import {
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  TRUNCATED_RESPONSE,
  type Answer,
  type DecodedPacket,
} from "dns-packet";

type RecordType = "A" | "AAAA" | "CNAME" | "TXT" | "NS" | "CAA";
const udpBytes = 512;

export class NameServer implements AsyncDisposable {
  readonly port: number;
  /** Questions that came, as "name TYPE". */
  readonly asked: string[] = [];
  askedByTcp = 0;
  isSilent = false;
  readonly #udp: Socket;
  readonly #tcp: Server;
  readonly #records = new Map<string, string[]>();

  private constructor(udp: Socket, tcp: Server) {
    this.port = udp.address().port;
    this.#udp = udp;
    this.#tcp = tcp;
  }

  /** Opens it on loopback, at a port that is free, unless another place is named. */
  static async open({ address = "127.0.0.1", port = 0 } = {}): Promise<NameServer> {
    for (let attempt = 1; ; attempt++) {
      const udp = createSocket("udp4").bind(port, address);
      await once(udp, "listening");
      const tcp = createServer();
      try {
        tcp.listen(udp.address().port, address);
        await once(tcp, "listening");
      } catch (error) {
        udp.close();
        if (attempt === 10) throw error;
        continue;
      }
      const server = new NameServer(udp, tcp);
      udp.on("message", (message, from) => {
        const answer = server.#answer(message, udpBytes);
        if (answer !== null) udp.send(answer, from.port, from.address);
      });
      tcp.on("connection", (socket) => {
        socket.on("error", () => {});
        socket.once("data", (data) => {
          const answer = server.#answer(data.subarray(2), 65_535);
          if (answer === null) return;
          server.askedByTcp++;
          const length = Buffer.alloc(2);
          length.writeUInt16BE(answer.length);
          socket.end(Buffer.concat([length, answer]));
        });
      });
      return server;
    }
  }

  /** Where central is to ask. */
  get lookups() {
    return {
      resolvers: [{ address: "127.0.0.1", port: this.port }],
      port: this.port,
      mayReachPrivate: true,
    };
  }

  /** Makes this server the authority of a zone. */
  zone(name: string): void {
    this.set(name, "NS", ["ns.nomes.dev"]);
    this.set("ns.nomes.dev", "A", [this.#udp.address().address]);
  }

  /** Replaces a name's records of a type; none removes them. */
  set(name: string, type: RecordType, values: readonly string[]): void {
    this.#records.set(`${name} ${type}`, [...values]);
  }

  #answer(message: Buffer, maxBytes: number): Buffer | null {
    const query = decode(message);
    const [asked] = query.questions ?? [];
    if (asked === undefined) return null;
    const { name, type } = asked;
    this.asked.push(`${name} ${type}`);
    if (this.isSilent) return null;
    const answers = this.#answersTo(name, type);
    const isKnown = [...this.#records.keys()].some((key) => key.startsWith(`${name} `));
    const reply = (more: Partial<DecodedPacket>) =>
      encode({
        type: "response",
        id: query.id ?? 0,
        flags: AUTHORITATIVE_ANSWER | (isKnown ? 0 : 3) | (more.flags ?? 0),
        questions: query.questions ?? [],
        answers: more.answers ?? [],
      });
    const whole = reply({ answers });
    return whole.length <= maxBytes ? whole : reply({ flags: TRUNCATED_RESPONSE });
  }

  #answersTo(name: string, type: string): Answer[] {
    const valuesOf = (asked: string) => this.#records.get(`${name} ${asked}`) ?? [];
    const [alias] = valuesOf("CNAME");
    if (alias !== undefined && type !== "CNAME") return [{ type: "CNAME", name, data: alias, ttl: 60 }];
    return valuesOf(type).map((data) => ({ type, name, data, ttl: 60 }) as Answer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#udp.close();
    this.#tcp.close();
    await once(this.#tcp, "close");
  }
}
