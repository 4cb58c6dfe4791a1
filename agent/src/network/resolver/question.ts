/** What a message from a project asks, as far as that decides who answers it. */

import { decode } from "dns-packet";

export interface Question {
  id: number;
  /** As asked, case included, without the last dot. */
  name: string;
  type: string;
  hasEdns: boolean;
  /** Header and question as they came. */
  head: Buffer;
}

export type Reading =
  /** Nothing that deserves an answer: too short, or an answer itself. */
  | { kind: "ignored" }
  | { kind: "refused"; rcode: number; head: Buffer }
  /** One single-label name of the form `svc-xxxxxxxx`: never asked outside. */
  | { kind: "own"; question: Question }
  | { kind: "outside"; question: Question };

/** RFC 1035 §4.1.1. */
export const rcodes = { noError: 0, formatError: 1, serverFailure: 2, nameError: 3, notImplemented: 4, refused: 5 } as const;

const headerBytes = 12;
const isResponseBit = 0x80;
const opcodeBits = 0x78;
const internet = 1;
/** Whole zones: not for projects. */
const refusedTypes = new Set(["AXFR", "IXFR"]);

export function readQuestion(message: Buffer): Reading {
  const flags = message[2];
  if (message.length < headerBytes || flags === undefined || (flags & isResponseBit) !== 0) return { kind: "ignored" };
  const bareHead = message.subarray(0, headerBytes);
  if ((flags & opcodeBits) !== 0) return { kind: "refused", rcode: rcodes.notImplemented, head: bareHead };
  const end = questionEnd(message);
  if (message.readUInt16BE(4) !== 1 || end === undefined) return { kind: "refused", rcode: rcodes.formatError, head: bareHead };
  const head = message.subarray(0, end);
  if (message.readUInt16BE(end - 2) !== internet) return { kind: "refused", rcode: rcodes.refused, head };
  try {
    const { questions: [asked] = [], additionals = [] } = decode(message);
    if (asked === undefined) return { kind: "refused", rcode: rcodes.formatError, head: bareHead };
    if (refusedTypes.has(asked.type)) return { kind: "refused", rcode: rcodes.refused, head };
    const hasEdns = additionals.some(({ type }) => type === "OPT");
    const question = { id: message.readUInt16BE(0), name: asked.name, type: asked.type, hasEdns, head };
    return { kind: /^svc-[0-9a-z]{8}$/i.test(asked.name) ? "own" : "outside", question };
  } catch {
    return { kind: "refused", rcode: rcodes.formatError, head };
  }
}

/** Where the question ends; its name is written out, as nothing stands before it that could be pointed to. */
export function questionEnd(message: Buffer): number | undefined {
  let offset = headerBytes;
  for (let length = message[offset]; length !== 0; length = message[offset]) {
    if (length === undefined || length > 63) return undefined;
    offset += length + 1;
  }
  const end = offset + 5;
  return end <= message.length && offset - headerBytes < 255 ? end : undefined;
}
