/** Carries a visitor's WebSocket, an extended CONNECT on the tunnel, to a project as an HTTP/1.1 upgrade. */

import { request as requestHttp } from "node:http";
import { constants } from "node:http2";
import { joinStreams } from "@tijolo/protocol/node";
import { fromProject, toProject } from "./project-headers.ts";
import { fail, type StreamVisit } from "./stream-visit.ts";
import { maxTunnelHeaderBytes, upgradedHeader } from "@tijolo/protocol";
import { waitToListen } from "./wait-to-listen.ts";

export function proxyUpgrade(visit: StreamVisit, startedAt = performance.now()): void {
  const { stream, headers, projectId, context } = visit;
  const target = context.findTarget(projectId);
  if (target === undefined) return fail(stream, "not_here");
  if (target.kind === "static") return fail(stream, "file_not_found");
  const project = requestHttp({
    host: target.address,
    port: target.port,
    method: "GET",
    path: headers[":path"] ?? "/",
    headers: { ...toProject(headers), connection: "Upgrade", upgrade: "websocket" },
    setHost: false,
    agent: false,
    maxHeaderSize: maxTunnelHeaderBytes / 2,
  });
  let isAnswered = false;
  const cancel = () => project.destroy();
  stream.once("close", cancel);
  const connectTimer = setTimeout(
    () => project.destroy(Object.assign(new Error("no connection"), { code: "ETIMEDOUT" })),
    context.times.connectMs,
  );
  project.once("close", () => clearTimeout(connectTimer));
  project.once("socket", (socket) => socket.once("connect", () => clearTimeout(connectTimer)));

  project.once("upgrade", (response, socket, head) => {
    isAnswered = true;
    if (stream.destroyed) return socket.destroy();
    const { ":status": _, ...accepted } = fromProject(response);
    stream.respond({ ":status": 200, ...accepted, [upgradedHeader]: "websocket" });
    stream.setTimeout(context.times.idleMs);
    if (head.length > 0) socket.unshift(head);
    joinStreams(
      { stream: socket, cut: () => socket.destroy(), endedWell: () => true },
      {
        stream,
        cut: () => stream.close(constants.NGHTTP2_CANCEL),
        endedWell: () => stream.rstCode === constants.NGHTTP2_NO_ERROR && !stream.aborted,
      },
    );
  });
  project.once("response", (response) => {
    isAnswered = true;
    if (stream.destroyed) return response.destroy();
    stream.respond(fromProject(response));
    response.pipe(stream);
    response.on("error", () => fail(stream, "bad_response"));
  });
  project.on("error", (error: NodeJS.ErrnoException) => {
    if (isAnswered || stream.destroyed) return;
    stream.off("close", cancel);
    if (["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"].includes(error.code ?? "")) {
      return waitToListen(visit, { startedAt, port: target.port, retry: () => proxyUpgrade(visit, startedAt) });
    }
    fail(stream, "bad_response");
  });
  project.end();
}
