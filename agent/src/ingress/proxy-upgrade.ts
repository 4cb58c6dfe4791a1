/** Carries a visitor's WebSocket, an extended CONNECT on the tunnel, to a project as an HTTP/1.1 upgrade. */

import type { IncomingMessage } from "node:http";
import { constants } from "node:http2";
import type { Duplex } from "node:stream";
import { joinStreams, resetStream } from "@tijolo/protocol/kit";
import type { ProcessTarget } from "./ingress-options.ts";
import { beginAnswer, passAnswer } from "./pass-answer.ts";
import { fromProject, toProject } from "./project-headers.ts";
import { requestProject } from "./request-project.ts";
import type { Attempt, StreamVisit } from "./stream-visit.ts";
import { upgradedHeader } from "@tijolo/protocol";

export function proxyUpgrade(visit: StreamVisit, target: ProcessTarget, attempt: Attempt): void {
  const { stream, headers, guard } = visit;
  const project = requestProject(visit, {
    target,
    method: "GET",
    headers: { ...toProject(headers, { isChunked: false }), connection: "Upgrade", upgrade: "websocket" },
    isRepeatable: false,
    attempt,
  });
  if (project === undefined) return;
  const accept = guard((response: IncomingMessage, socket: Duplex, head: Buffer) => {
    const accepted = { ...fromProject(response), ":status": 200, [upgradedHeader]: "websocket" };
    if (!beginAnswer(visit, accepted)) return void socket.destroy();
    if (head.length > 0) socket.unshift(head);
    joinStreams(
      { stream: socket, cut: () => socket.destroy(), endedWell: () => true },
      {
        stream,
        cut: () => resetStream(stream),
        endedWell: () => stream.rstCode === constants.NGHTTP2_NO_ERROR && !stream.aborted,
      },
    );
  });
  const refuse = guard((response: IncomingMessage) => passAnswer(visit, project, response));
  project.once("upgrade", accept).once("response", refuse);
  project.end();
}
