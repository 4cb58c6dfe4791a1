/** Opens the HTTP/1.1 request that carries a visit to its project. */

import {
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ProcessTarget } from "./ingress-options.ts";
import type { RunRequestArgs } from "./kept-connections.ts";
import { runName } from "./site-visits.ts";
import { awaitsAnswer, fail, type Attempt, type StreamVisit } from "./stream-visit.ts";
import { maxTunnelHeaderBytes } from "@tijolo/protocol";

export interface ProjectRequest {
  target: ProcessTarget;
  method: string;
  headers: OutgoingHttpHeaders;
  /**
   * True when the request can be sent twice. The project may close a kept connection at the moment of its
   * use, so only such a request goes over one.
   */
  isRepeatable: boolean;
  attempt: Attempt;
}

/**
 * Opens the request. Returns undefined when HTTP/1.1 cannot express the visit; then, and when no answer
 * comes, the visitor gets an error. A visit whose project does not listen yet is held. The caller ends the
 * request.
 */
export function requestProject(visit: StreamVisit, request: ProjectRequest): ClientRequest | undefined {
  const { stream, projectId, context, guard } = visit;
  const { target, attempt, isRepeatable } = request;
  let hasConnected = false;
  let project: ClientRequest;
  try {
    project = requestHttp(requestArgs(visit, request));
  } catch {
    fail(stream, "bad_response");
    return undefined;
  }
  noteUnderWay(visit, project, target);
  const cancel = guard(() => void project.destroy());
  stream.once("close", cancel);
  const giveUp = guard(() => void project.destroy(connectTimeout()));
  const connectTimer = setTimeout(giveUp, context.held.connectMs(target, attempt));
  const noteConnected = guard(() => {
    hasConnected = true;
    clearTimeout(connectTimer);
    context.held.noteListening(projectId);
  });
  const stopTimer = guard(() => clearTimeout(connectTimer));
  const takeError = guard((error: NodeJS.ErrnoException) => {
    if (!awaitsAnswer(stream)) return; // the answer's own end or break decides
    stream.off("close", cancel);
    // What a program may have begun to read is not sent to it, or to the next one, once more.
    if (isUnreachable(error) && (isRepeatable || !hasConnected)) return context.held.hold(visit, attempt);
    if (project.reusedSocket && error.code === "ECONNRESET") {
      attempt.mayReuse = false;
      return attempt.retry();
    }
    context.logger.debug({ projectId, error: error.message }, "a project broke off before its answer");
    fail(stream, "bad_response");
  });
  project.once("close", stopTimer).on("error", takeError);
  whenConnected(visit, project, noteConnected);
  return project;
}

function requestArgs(
  { headers, projectId, context }: StreamVisit,
  { target, method, headers: sent, isRepeatable, attempt }: ProjectRequest,
): RunRequestArgs {
  return {
    host: target.address,
    port: target.port,
    path: headers[":path"] ?? "/",
    setHost: false,
    maxHeaderSize: maxTunnelHeaderBytes / 2,
    insecureHTTPParser: false,
    method,
    headers: sent,
    agent: isRepeatable && attempt.mayReuse ? context.visits.kept : false,
    run: runName(projectId, target.runNumber),
  };
}

/** Notes the visit as under way while the project answers it. */
function noteUnderWay(
  { projectId, context: { visits }, guard }: StreamVisit,
  project: ClientRequest,
  { runNumber }: ProcessTarget,
): void {
  const visit = visits.begin(projectId, runNumber);
  const end = guard(() => visits.finish(projectId, visit));
  const noteUpgrade = guard((_response: IncomingMessage, socket: Duplex) => {
    visits.becomesStream(projectId, visit);
    // The request itself is closed by its upgrade.
    project.off("close", end);
    socket.once("close", end);
  });
  const noteEvents = guard(({ headers }: IncomingMessage) => {
    if (/^text\/event-stream\b/i.test(headers["content-type"] ?? "")) visits.becomesStream(projectId, visit);
  });
  project.once("close", end).once("upgrade", noteUpgrade).once("response", noteEvents);
}

export function whenConnected({ guard }: StreamVisit, project: ClientRequest, listener: () => void): void {
  const connected = guard(listener);
  const takeSocket = guard((socket: Socket) =>
    socket.connecting ? void socket.once("connect", connected) : connected(),
  );
  project.once("socket", takeSocket);
}

function isUnreachable(error: NodeJS.ErrnoException): boolean {
  return ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"].includes(error.code ?? "");
}

function connectTimeout(): NodeJS.ErrnoException {
  return Object.assign(new Error("the project's address does not answer"), { code: "ETIMEDOUT" });
}
