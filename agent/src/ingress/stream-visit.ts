/** Defines a visit as the parts of the ingress pass it on, and its end when there is no answer. */

import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from "node:http2";
import type { Logger } from "pino";
import type { IngressTarget, IngressTimes } from "./ingress-options.ts";
import type { SiteVisits } from "./site-visits.ts";
import { failureHeader, portHeader, type IngressFailure } from "@tijolo/protocol";
import { resetStream, type Guard } from "@tijolo/protocol/kit";

export interface IngressContext {
  findTarget: (projectId: string) => IngressTarget | undefined;
  visits: SiteVisits;
  times: IngressTimes;
  logger: Pick<Logger, "debug" | "warn">;
  held: VisitHolder;
}

/** State of one visit's attempts to reach its site. */
export interface Attempt {
  /** Time of the first attempt. */
  startedAt: number;
  /** Finds the visit's target again. */
  retry: () => void;
  /**
   * False once a kept connection turned out to be closed at the moment of its use: the next connection is a
   * new one.
   */
  mayReuse: boolean;
}

/** Holds visits that cannot go on now. */
export interface VisitHolder {
  /** Holds the visit and calls `retry` later, or ends it: when its time is over, or too many are held. */
  hold(visit: StreamVisit, attempt: Attempt): void;
  /**
   * Returns the milliseconds that a connection to the target may take, so that a visit is answered in time.
   */
  connectMs(target: IngressTarget, attempt: Attempt): number;
  /** Lets the held visits of a site go on, because its program has just accepted a connection. */
  noteListening(projectId: string): void;
}

export interface StreamVisit {
  stream: ServerHttp2Stream;
  headers: IncomingHttpHeaders;
  projectId: string;
  /** Trailers that followed the visitor's body, once they have arrived. */
  trailers: Record<string, string>;
  context: IngressContext;
  /**
   * Every listener and timer of the visit goes through it: what one throws ends the visit and nothing else.
   */
  guard: Guard;
}

/** True while an answer may begin: none has begun, and the visitor is still there. */
export function awaitsAnswer(stream: ServerHttp2Stream): boolean {
  return !stream.destroyed && !stream.closed && !stream.headersSent;
}

/**
 * Answers with the reason why there is no answer; the gateway shows it as a page. Breaks off an answer that
 * has begun.
 */
export function fail(stream: ServerHttp2Stream, failure: IngressFailure, port?: number): void {
  if (stream.destroyed || stream.closed) return;
  if (stream.headersSent) return resetStream(stream);
  const status = {
    not_here: 503,
    starting: 503,
    not_listening: 502,
    bad_response: 502,
    timeout: 504,
    file_not_found: 404,
    overloaded: 503,
  }[failure];
  const headers: OutgoingHttpHeaders = { ":status": status, [failureHeader]: failure };
  if (port !== undefined) headers[portHeader] = String(port);
  stream.respond(headers, { endStream: true });
  stream.resume();
}
