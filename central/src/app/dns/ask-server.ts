/** Asks one DNS server one question: by UDP, and by TCP when the answer does not fit. */

import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { connect, isIPv6 } from "node:net";
import {
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
  type DecodedPacket,
  type RecordType,
} from "dns-packet";

export interface DnsServer {
  address: string;
  port: number;
}

export interface DnsQuestion {
  name: string;
  type: RecordType;
  /** True when the server is to ask others in our place. */
  isRecursive: boolean;
}

export interface DnsAnswer {
  rcode: "NOERROR" | "NXDOMAIN";
  isAuthoritative: boolean;
  answers: NonNullable<DecodedPacket["answers"]>;
}

/** Thrown when a server gives no usable answer: none in time, a failure, or one to another question. */
export class DnsServerError extends Error {
  override name = "DnsServerError";
}

/** Bytes that are asked for over UDP; larger answers are lost on some ways (DNS flag day 2020). */
const udpBytes = 1232;
/** Largest answer that is read: names in it may point to each other, which costs time to follow. */
const maxBytes = 16_384;
const maxRecords = 200;
/** Number of answers to other questions that end the query: a true server sends none. */
const maxStrays = 16;

/** Throws `DnsServerError`, or the signal's reason. */
export async function askServer(
  server: DnsServer,
  question: DnsQuestion,
  signal: AbortSignal,
): Promise<DnsAnswer> {
  const id = randomInt(0x10000);
  const query = encode({
    type: "query",
    id,
    flags: question.isRecursive ? RECURSION_DESIRED : 0,
    questions: [{ name: question.name, type: question.type, class: "IN" }],
    additionals: [
      {
        type: "OPT",
        name: ".",
        udpPayloadSize: udpBytes,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 0,
        flag_do: false,
        options: [],
      },
    ],
  });
  const read = (message: Buffer) => readAnswer(message, id, question);
  const byUdp = await exchangeByUdp(server, { query, read, signal });
  const packet =
    ((byUdp.flags ?? 0) & TRUNCATED_RESPONSE) === 0
      ? byUdp
      : await exchangeByTcp(server, { query, read, signal });
  const rcode = (packet as { rcode?: string }).rcode ?? "";
  if (rcode !== "NOERROR" && rcode !== "NXDOMAIN")
    throw new DnsServerError(`${server.address} answered ${rcode}`);
  return {
    rcode,
    isAuthoritative: ((packet.flags ?? 0) & AUTHORITATIVE_ANSWER) !== 0,
    answers: packet.answers ?? [],
  };
}

interface Exchange {
  query: Buffer;
  /** Returns null for a message that does not answer the question. */
  read: (message: Buffer) => DecodedPacket | null;
  signal: AbortSignal;
}

function exchangeByUdp(
  { address, port }: DnsServer,
  { query, read, signal }: Exchange,
): Promise<DecodedPacket> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<DecodedPacket>();
  const socket = createSocket(isIPv6(address) ? "udp6" : "udp4");
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  let strays = 0;
  socket.on("error", (cause) => reject(new DnsServerError(`${address} cannot be asked`, { cause })));
  socket.on("message", (message) => {
    const packet = read(message);
    if (packet !== null) resolve(packet);
    else if (++strays >= maxStrays) reject(new DnsServerError(`${address}: too many wrong answers`));
  });
  // A connected socket takes answers of this server alone, and learns at once when nobody listens there. Where no way
  // leads there, a callback given to `connect` would be called all the same, so it is an event that says it did.
  socket.once("connect", () => {
    socket.send(query, (cause) => {
      if (cause !== null) reject(new DnsServerError(`${address} cannot be asked`, { cause }));
    });
  });
  socket.connect(port, address);
  return promise.finally(() => {
    signal.removeEventListener("abort", abort);
    socket.close();
  });
}

function exchangeByTcp(
  { address, port }: DnsServer,
  { query, read, signal }: Exchange,
): Promise<DecodedPacket> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<DecodedPacket>();
  const socket = connect(port, address);
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  let received = Buffer.alloc(0);
  const fail = () => reject(new DnsServerError(`${address} gave no answer over TCP`));
  socket.on("error", fail);
  socket.on("close", fail);
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk]);
    if (received.length < 2) return;
    const length = received.readUInt16BE(0);
    if (length > maxBytes) return fail();
    if (received.length < length + 2) return;
    const packet = read(received.subarray(2, length + 2));
    if (packet === null) fail();
    else resolve(packet);
  });
  const length = Buffer.alloc(2);
  length.writeUInt16BE(query.length);
  socket.write(Buffer.concat([length, query]));
  return promise.finally(() => {
    signal.removeEventListener("abort", abort);
    socket.destroy();
  });
}

/** An answer must repeat id and question; one that cannot be read counts as none. */
function readAnswer(message: Buffer, id: number, { name, type }: DnsQuestion): DecodedPacket | null {
  if (message.length < 12 || message.length > maxBytes || message.readUInt16BE(0) !== id) return null;
  const records = message.readUInt16BE(6) + message.readUInt16BE(8) + message.readUInt16BE(10);
  if (records > maxRecords) return null;
  try {
    const packet = decode(message);
    const [asked] = packet.questions ?? [];
    const isSame =
      packet.type === "response" && asked?.type === type && asked.name.toLowerCase() === name.toLowerCase();
    return isSame ? packet : null;
  } catch {
    return null;
  }
}
