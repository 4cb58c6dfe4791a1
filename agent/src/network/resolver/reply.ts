/** Builds the answers that the resolver makes itself. */

import { encode, type Answer } from "dns-packet";
import { rcodes, type Question } from "./question.ts";

/** Seconds for which a project's address may be cached: it moves when the project does. */
const ownNameTtl = 5;

const headerBytes = 12;
const response = 0x8000;
const authoritative = 0x0400;
const recursionDesired = 0x0100;
const recursionAvailable = 0x0080;
/** Bytes that a path without fragments carries (DNS flag day 2020). */
const udpPayloadBytes = 1_232;

/**
 * Returns the answer for a project's own name. Every type but A has no data, yet the name exists: resolvers
 * that ask for AAAA beside A take "no such name" for both. Without a SOA record no "no such name" may be
 * cached (RFC 2308 §5), so a project that starts is found at once.
 */
export function ownReply({ id, name, type, hasEdns, head }: Question, address: string | undefined): Buffer {
  const answers: Answer[] =
    address !== undefined && (type === "A" || type === "ANY")
      ? [{ type: "A", name, ttl: ownNameTtl, class: "IN", data: address }]
      : [];
  const rcode = address === undefined ? rcodes.nameError : rcodes.noError;
  const desired = head.readUInt16BE(2) & recursionDesired;
  return encode({
    type: "response",
    id,
    flags: authoritative | desired | recursionAvailable | rcode,
    questions: [{ name, type: type as "A", class: "IN" }],
    answers,
    additionals: hasEdns
      ? [
          {
            type: "OPT",
            name: ".",
            udpPayloadSize: udpPayloadBytes,
            extendedRcode: 0,
            ednsVersion: 0,
            flags: 0,
            flag_do: false,
            options: [],
          },
        ]
      : [],
  });
}

/** Returns a reply with the header, the question where `head` has it, and a response code only. */
export function bareReply(head: Buffer, rcode: number): Buffer {
  const reply = Buffer.from(head);
  const { recursion, opcode } = {
    recursion: head.readUInt16BE(2) & recursionDesired,
    opcode: head.readUInt16BE(2) & 0x7800,
  };
  reply.writeUInt16BE(response | opcode | recursion | recursionAvailable | rcode, 2);
  reply.writeUInt16BE(head.length > headerBytes ? 1 : 0, 4);
  reply.fill(0, 6, headerBytes);
  return reply;
}
