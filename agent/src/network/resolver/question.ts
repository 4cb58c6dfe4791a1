/** Reads from a project's message what decides who answers it. */

import { decode } from "dns-packet";

export interface Question {
  id: number;
  /** Name as asked, case included, without the last dot. */
  name: string;
  type: string;
  hasEdns: boolean;
  /** Header and question as they were received. */
  head: Buffer;
}

export type Reading =
  /** `ignored`: nothing that deserves an answer, because it is too short or an answer itself. */
  | { kind: "ignored" }
  | { kind: "refused"; rcode: number; head: Buffer }
  /** One single-label name of the form `svc-xxxxxxxx`: never asked outside. */
  | { kind: "own"; question: Question }
  | { kind: "outside"; question: Question };

/** Response codes of RFC 1035 §4.1.1. */
export const rcodes = {
  noError: 0,
  formatError: 1,
  serverFailure: 2,
  nameError: 3,
  notImplemented: 4,
  refused: 5,
} as const;

const headerBytes = 12;
const isResponseBit = 0x80;
const opcodeBits = 0x78;
const internet = 1;
const optType = 41;
/** Most additional records: EDNS and a signature. */
const maxAdditionals = 2;
/** Query types for whole zones, which projects may not request. */
const refusedTypes = new Set(["AXFR", "IXFR"]);

export function readQuestion(message: Buffer): Reading {
  const flags = message[2];
  if (message.length < headerBytes || flags === undefined || (flags & isResponseBit) !== 0)
    return { kind: "ignored" };
  const bareHead = message.subarray(0, headerBytes);
  if ((flags & opcodeBits) !== 0) return { kind: "refused", rcode: rcodes.notImplemented, head: bareHead };
  const end = questionEnd(message);
  if (message.readUInt16BE(4) !== 1 || end === undefined)
    return { kind: "refused", rcode: rcodes.formatError, head: bareHead };
  const head = message.subarray(0, end);
  const [answers, authorities, additionals] = [
    message.readUInt16BE(6),
    message.readUInt16BE(8),
    message.readUInt16BE(10),
  ];
  if (answers + authorities > 0 || additionals > maxAdditionals)
    return { kind: "refused", rcode: rcodes.formatError, head };
  if (message.readUInt16BE(end - 2) !== internet) return { kind: "refused", rcode: rcodes.refused, head };
  try {
    const { questions: [asked] = [] } = decode(onlyQuestion(head));
    if (asked === undefined) return { kind: "refused", rcode: rcodes.formatError, head: bareHead };
    if (refusedTypes.has(asked.type)) return { kind: "refused", rcode: rcodes.refused, head };
    const hasEdns = additionals > 0 && isOpt(message, head.length);
    const question = { id: message.readUInt16BE(0), name: asked.name, type: asked.type, hasEdns, head };
    return { kind: /^svc-[0-9a-z]{8}$/i.test(asked.name) ? "own" : "outside", question };
  } catch {
    return { kind: "refused", rcode: rcodes.formatError, head };
  }
}

/**
 * Returns the header without what stands after the question: names there may point to and fro, which costs
 * time for each record.
 */
function onlyQuestion(head: Buffer): Buffer {
  return Buffer.from(head).fill(0, 6, headerBytes);
}

/** True when the first record after the question is EDNS's, whose name is the root (RFC 6891 §6.1.2). */
function isOpt(message: Buffer, offset: number): boolean {
  return (
    message.length >= offset + 3 && message[offset] === 0 && message.readUInt16BE(offset + 1) === optType
  );
}

/** Returns where the question ends; its name is written out, as a pointer could name nothing before it. */
export function questionEnd(message: Buffer): number | undefined {
  let offset = headerBytes;
  for (let length = message[offset]; length !== 0; length = message[offset]) {
    if (length === undefined || length > 63) return undefined;
    offset += length + 1;
  }
  const end = offset + 5;
  return end <= message.length && offset - headerBytes < 255 ? end : undefined;
}
