/** Takes down how a visit went, and reports it once when it is over. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Visit as CountedVisit } from "./visits/visit.ts";

/** Status of a visit whose visitor left before there was an answer. */
const leftStatus = 499;

export interface VisitRecordOptions {
  projectId: string;
  address: string;
  /** Returns the milliseconds since 1970. */
  now: () => number;
  report: (visit: CountedVisit) => void;
}

export class VisitRecord {
  readonly #request: IncomingMessage;
  readonly #options: VisitRecordOptions;
  readonly #beganMs = performance.now();
  readonly #bytesBefore: number;
  #head: { status: number; durationMs: number } | undefined;

  constructor(request: IncomingMessage, options: VisitRecordOptions) {
    this.#request = request;
    this.#options = options;
    this.#bytesBefore = request.socket.bytesWritten;
  }

  /** Notes that the answer begins now. */
  begin(status: number): void {
    this.#head ??= { status, durationMs: performance.now() - this.#beganMs };
  }

  /** Reports the visit; its answer is over, or its connection is. */
  finish(response: ServerResponse): void {
    this.begin(response.headersSent ? response.statusCode : leftStatus);
    const { method = "", url = "", headers, socket } = this.#request;
    const { projectId, address, now, report } = this.#options;
    report({
      projectId,
      at: now(),
      method,
      path: url,
      host: headers.host ?? "",
      bytes: Math.max(0, socket.bytesWritten - this.#bytesBefore),
      ...(this.#head ?? { status: leftStatus, durationMs: 0 }),
      address,
      userAgent: headers["user-agent"] ?? "",
      referrer: headers.referer ?? "",
    });
  }
}
