/** Sends a request over a socket of its own, in one of many manners, and judges the response. */

import { setTimeout as delay } from "node:timers/promises";
import { connect, type Socket } from "node:net";
import { errorBody, isErrorCode } from "@tijolo/protocol";
import type { FuzzRequest } from "./fuzz-request.ts";
import type { SeededRandom } from "./seeded-random.ts";

export interface Place {
  host: string;
  port: number;
}

export const manners = [
  "whole",
  "whole",
  "whole",
  "whole",
  "pieces",
  "bytes",
  "twice",
  "half closed",
  "reset",
  "stops",
  "never reads",
] as const;
export type Manner = (typeof manners)[number];

export interface Exchange {
  statuses: number[];
  /** Violations of what every answer must satisfy. */
  problems: string[];
}

const answerMs = 15_000;
const patienceMs = 250;
const holdMs = 500;

export async function exchange(
  place: Place,
  request: FuzzRequest,
  manner: Manner,
  random: SeededRandom,
): Promise<Exchange> {
  const socket = connect(place.port, place.host);
  const received = new Received(socket, request.head.toString("latin1").startsWith("HEAD"));
  try {
    const bytes = Buffer.concat([request.head, request.body]);
    await deliver(socket, bytes, manner, random);
    const mustAnswer = request.isFramed && ["whole", "pieces", "bytes", "twice"].includes(manner);
    if (manner === "reset" || manner === "stops" || manner === "never reads") return received.exchange([]);
    const isAnswered = await received.first(mustAnswer ? answerMs : patienceMs);
    return received.exchange(mustAnswer && !isAnswered ? [`no answer within ${answerMs} ms`] : []);
  } finally {
    socket.destroy();
  }
}

async function deliver(socket: Socket, bytes: Buffer, manner: Manner, random: SeededRandom): Promise<void> {
  switch (manner) {
    case "whole":
      socket.write(bytes);
      return;
    case "pieces":
      for (let start = 0; start < bytes.length && !socket.destroyed;) {
        const end = start + random.integer(1, Math.max(1, Math.ceil(bytes.length / 4)));
        socket.write(bytes.subarray(start, end));
        start = end;
        await delay(1);
      }
      return;
    case "bytes":
      for (let index = 0; index < Math.min(bytes.length, 150) && !socket.destroyed; index++) {
        socket.write(bytes.subarray(index, index + 1));
        await delay(1);
      }
      socket.write(bytes.subarray(150));
      return;
    case "twice":
      socket.write(bytes);
      socket.write(bytes);
      return;
    case "half closed":
      socket.end(bytes);
      return;
    case "reset":
      socket.write(bytes.subarray(0, random.integer(1, bytes.length)));
      await delay(random.integer(0, 30));
      socket.resetAndDestroy();
      return;
    case "stops":
      socket.write(bytes.subarray(0, random.integer(1, bytes.length)));
      await delay(holdMs);
      return;
    case "never reads":
      socket.pause();
      socket.write(bytes);
      await delay(holdMs);
  }
}

/** Collects what a socket was answered, as far as it has arrived. */
class Received {
  readonly #chunks: Buffer[] = [];
  readonly #socket: Socket;
  readonly #isHead: boolean;
  #isOver = false;

  constructor(socket: Socket, isHead: boolean) {
    this.#socket = socket;
    this.#isHead = isHead;
    socket.on("data", (chunk: Buffer) => {
      if (this.#chunks.length < 200) this.#chunks.push(chunk);
    });
    socket.on("error", () => (this.#isOver = true));
    socket.on("close", () => (this.#isOver = true));
  }

  /**
   * True once a whole answer, or the head of a stream, has arrived; false when the connection ended before.
   */
  async first(timeoutMs: number): Promise<boolean> {
    const deadlineMs = performance.now() + timeoutMs;
    while (performance.now() < deadlineMs) {
      if (this.#answers().length > 0) return true;
      if (this.#isOver) return this.#answers().length > 0;
      await delay(2);
    }
    return false;
  }

  exchange(problems: string[]): Exchange {
    const answers = this.#answers();
    return {
      statuses: answers.map(({ status }) => status),
      problems: [...problems, ...answers.flatMap(problemsOf)],
    };
  }

  #answers(): Answer[] {
    const answers: Answer[] = [];
    let rest = Buffer.concat(this.#chunks);
    for (;;) {
      const end = rest.indexOf("\r\n\r\n");
      if (end < 0) break;
      const [line = "", ...lines] = rest.subarray(0, end).toString("latin1").split("\r\n");
      const headers = new Map(
        lines.map((text) => [
          text.slice(0, text.indexOf(":")).toLowerCase(),
          text.slice(text.indexOf(":") + 1).trim(),
        ]),
      );
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1] ?? Number.NaN);
      // What answers a HEAD has a length, but no body.
      if (this.#isHead) return status > 199 ? [{ line, status, headers, body: null }] : [];
      const length = Number(headers.get("content-length") ?? 0);
      const body = rest.subarray(end + 4, end + 4 + length);
      if (body.length < length && !(this.#socket.destroyed || this.#isOver)) break;
      if (status !== 100) answers.push({ line, status, headers, body });
      rest = rest.subarray(end + 4 + length);
      if (
        headers.has("transfer-encoding") ||
        headers.get("content-type")?.startsWith("text/event-stream") === true
      )
        break;
    }
    return answers;
  }
}

interface Answer {
  line: string;
  status: number;
  headers: Map<string, string>;
  /** Body; null for an answer that has none, whatever its length says. */
  body: Buffer | null;
}

function problemsOf({ line, status, headers, body }: Answer): string[] {
  if (!Number.isInteger(status)) return [`this is no answer: ${line.slice(0, 80)}`];
  if (status < 400 || body === null) return [];
  const isWhole = body.length === Number(headers.get("content-length") ?? 0);
  if (!isWhole) return [];
  const parsed = errorBody.safeParse(parseJson(body.toString()));
  if (!parsed.success) return [`${status} without an error body: ${body.toString("latin1").slice(0, 80)}`];
  const { code } = parsed.data;
  return [
    ...(isErrorCode(code) ? [] : [`${status} with the code ${code}`]),
    ...(code === "internal_error" ? [`${status} internal_error`] : []),
    ...(headers.has("x-request-id") ? [] : [`${status} ${code} without X-Request-Id`]),
    ...(headers.has("retry-after") === (status === 429) ? [] : [`${status} ${code}: Retry-After`]),
  ];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
