/** Opens the HTTP/1.1 request that carries a visit to its project. */

import { request as requestHttp, type Agent, type ClientRequest, type OutgoingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import type { IngressTarget } from "./ingress-options.ts";
import { awaitsAnswer, fail, type StreamVisit } from "./stream-visit.ts";
import { maxTunnelHeaderBytes } from "@tijolo/protocol";
import { waitToListen } from "./wait-to-listen.ts";

export interface ProjectRequest {
  target: IngressTarget & { kind: "process" };
  method: string;
  headers: OutgoingHttpHeaders;
  /** Agent whose kept-alive connections may be used. */
  agent: Agent | false;
  /** Time of the visit's first try. */
  startedAt: number;
  /** Tries the visit again, because the project does not listen yet. */
  retry: () => void;
  /** Tries the visit once more, because the kept-alive connection was closed at the moment of its use. */
  repeat?: () => void;
}

/**
 * Opens the request. Undefined when HTTP/1.1 cannot express the visit; then, and when no answer comes, the
 * visitor gets an error. The caller ends the request.
 */
export function requestProject(
  visit: StreamVisit,
  { target, startedAt, retry, repeat, ...options }: ProjectRequest,
): ClientRequest | undefined {
  const { stream, headers, projectId, context, guard } = visit;
  let project: ClientRequest;
  try {
    project = requestHttp({
      host: target.address,
      port: target.port,
      path: headers[":path"] ?? "/",
      setHost: false,
      maxHeaderSize: maxTunnelHeaderBytes / 2,
      insecureHTTPParser: false,
      ...options,
    });
  } catch {
    fail(stream, "bad_response");
    return undefined;
  }
  const cancel = guard(() => void project.destroy());
  stream.once("close", cancel);
  const giveUp = guard(() => void project.destroy(connectTimeout()));
  const connectTimer = setTimeout(giveUp, context.times.connectMs);
  const stopTimer = guard(() => clearTimeout(connectTimer));
  const takeError = guard((error: NodeJS.ErrnoException) => {
    if (!awaitsAnswer(stream)) return; // the answer's own end or break decides
    stream.off("close", cancel);
    if (isUnconnected(error)) return waitToListen(visit, { startedAt, port: target.port, retry });
    if (repeat !== undefined && project.reusedSocket && error.code === "ECONNRESET") return repeat();
    context.logger.debug({ projectId, error: error.message }, "a project broke off before its answer");
    fail(stream, "bad_response");
  });
  project.once("close", stopTimer).on("error", takeError);
  whenConnected(visit, project, stopTimer);
  return project;
}

export function whenConnected({ guard }: StreamVisit, project: ClientRequest, listener: () => void): void {
  const connected = guard(listener);
  const takeSocket = guard((socket: Socket) =>
    socket.connecting ? void socket.once("connect", connected) : connected(),
  );
  project.once("socket", takeSocket);
}

function isUnconnected(error: NodeJS.ErrnoException): boolean {
  return ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"].includes(error.code ?? "");
}

function connectTimeout(): NodeJS.ErrnoException {
  return Object.assign(new Error("the project's address does not answer"), { code: "ETIMEDOUT" });
}
