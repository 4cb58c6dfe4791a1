/** Asks the host's resolvers, the next one when one fails, and passes on their answers. */

import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { connect } from "node:net";
import { questionEnd, rcodes } from "./question.ts";
import { splitFrames, toFrame } from "./tcp-frames.ts";

export interface UpstreamOptions {
  /** Addresses in the order in which they are asked; all of them once more when none answers. */
  upstreams: readonly string[];
  /** Port of the resolvers. Default: 53. */
  port?: number;
  /** Milliseconds until the next server is asked as well. Default: 1,000. */
  nextAfterMs?: number;
  /** Milliseconds in all. Default: 4,500, as programs give up soon after. */
  deadlineMs?: number;
}

const rounds = 2;
const defaultDeadlineMs = 4_500;
/** Milliseconds that the second transport has at least, even when the first one has used up the deadline. */
const minimumMs = 1_000;
/**
 * Number of wrong answers that end the query over UDP. An attacker who knows the source port, and forges an
 * upstream's address, can send all 65,536 ids. A true resolver sends none.
 */
const maxWrongAnswers = 16;

/**
 * Returns the first good answer over UDP, otherwise a bad one (a failure that an upstream reports), otherwise
 * null. A truncated answer is passed on: the asker comes again by TCP, as with any resolver. Source port and
 * id are random, and an answer must repeat the question. Under a flood of forged answers the question goes
 * over TCP, where nobody can forge an address.
 */
export async function askByUdp(message: Buffer, options: UpstreamOptions): Promise<Buffer | null> {
  const endAtMs = performance.now() + (options.deadlineMs ?? defaultDeadlineMs);
  const answer = await exchangeByUdp(message, options);
  if (answer !== "flooded") return answer;
  return exchangeWithEachByTcp(message, {
    ...options,
    deadlineMs: Math.max(minimumMs, endAtMs - performance.now()),
  });
}

function exchangeByUdp(message: Buffer, options: UpstreamOptions): Promise<Buffer | "flooded" | null> {
  const { upstreams, port = 53, nextAfterMs = 1_000, deadlineMs = defaultDeadlineMs } = options;
  if (upstreams.length === 0) return Promise.resolve(null);
  const query = withId(message, randomInt(0x10000));
  const socket = createSocket("udp4");
  const tries = Array.from({ length: rounds }, () => upstreams).flat();
  const asked = new Set<string>();
  let wrongAnswers = 0;
  return new Promise((resolve) => {
    let nextTimer: NodeJS.Timeout | undefined;
    let failure: Buffer | null = null;
    let isFinished = false;
    const finish = (answer: Buffer | "flooded" | null) => {
      isFinished = true;
      clearTimeout(nextTimer);
      clearTimeout(deadline);
      socket.close();
      resolve(answer instanceof Buffer ? withId(answer, message.readUInt16BE(0)) : answer);
    };
    const deadline = setTimeout(() => finish(failure), deadlineMs);
    const askNext = () => {
      clearTimeout(nextTimer);
      const upstream = tries.shift();
      if (upstream === undefined || isFinished) return;
      asked.add(upstream);
      socket.send(query, port, upstream, (error) => {
        if (error !== null && !isFinished) askNext();
      });
      nextTimer = setTimeout(askNext, nextAfterMs);
    };
    socket.on("error", () => {
      if (!isFinished) finish(failure);
    });
    socket.on("message", (answer, from) => {
      if (isFinished || from.port !== port || !asked.has(from.address)) return;
      if (!isAnswerTo(query, answer)) {
        if (++wrongAnswers >= maxWrongAnswers) finish("flooded");
        return;
      }
      if (!isFailure(answer)) return finish(answer);
      failure = answer;
      if (tries.length > 0) askNext();
      else finish(failure);
    });
    askNext();
  });
}

/**
 * Does the same as {@link askByUdp} by a connection to each upstream in turn. The resolver of many small
 * networks has no TCP: then it asks over UDP after all.
 */
export async function askByTcp(message: Buffer, options: UpstreamOptions): Promise<Buffer | null> {
  const endAtMs = performance.now() + (options.deadlineMs ?? defaultDeadlineMs);
  const answer = await exchangeWithEachByTcp(message, options);
  return (
    answer ?? askByUdp(message, { ...options, deadlineMs: Math.max(minimumMs, endAtMs - performance.now()) })
  );
}

async function exchangeWithEachByTcp(message: Buffer, options: UpstreamOptions): Promise<Buffer | null> {
  const { upstreams, port = 53, deadlineMs = defaultDeadlineMs } = options;
  const query = withId(message, randomInt(0x10000));
  const endAtMs = performance.now() + deadlineMs;
  let failure: Buffer | null = null;
  for (const [index, upstream] of upstreams.entries()) {
    const leftMs = (endAtMs - performance.now()) / (upstreams.length - index);
    if (leftMs <= 0) break;
    const answer = await exchangeByTcp(query, { upstream, port, timeoutMs: leftMs });
    if (answer === null || !isAnswerTo(query, answer)) continue;
    failure = withId(answer, message.readUInt16BE(0));
    if (!isFailure(answer)) return failure;
  }
  return failure;
}

function exchangeByTcp(
  query: Buffer,
  { upstream, port, timeoutMs }: { upstream: string; port: number; timeoutMs: number },
) {
  return new Promise<Buffer | null>((resolve) => {
    const socket = connect(port, upstream);
    let received = Buffer.alloc(0);
    const finish = (answer: Buffer | null) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => finish(null), timeoutMs);
    socket.on("error", () => finish(null));
    socket.on("close", () => finish(null));
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]); // at most one answer of 64 KiB
      const [answer] = splitFrames(received).frames;
      if (answer !== undefined) finish(answer);
    });
    socket.write(toFrame(query));
  });
}

function withId(message: Buffer, id: number): Buffer {
  const copy = Buffer.from(message);
  copy.writeUInt16BE(id, 0);
  return copy;
}

/** True when the message is an answer with the id and the question of the query. */
function isAnswerTo(query: Buffer, answer: Buffer): boolean {
  const end = questionEnd(query);
  if (end === undefined || answer.length < 12 || answer.readUInt16BE(0) !== query.readUInt16BE(0))
    return false;
  if (((answer[2] ?? 0) & 0x80) === 0) return false;
  // A server that could not even read the question repeats none.
  if (answer.readUInt16BE(4) === 0) return isFailure(answer);
  // Type and class stand after the name. Their bytes can look like letters.
  const isSameName = lowerCase(answer.subarray(12, end - 4)).equals(lowerCase(query.subarray(12, end - 4)));
  return isSameName && answer.subarray(end - 4, end).equals(query.subarray(end - 4, end));
}

function isFailure(answer: Buffer): boolean {
  const rcode = (answer[3] ?? 0) & 0x0f;
  return rcode !== rcodes.noError && rcode !== rcodes.nameError;
}

function lowerCase(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte)));
}
