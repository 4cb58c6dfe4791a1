/** Opens the connection that becomes a tunnel: an HTTP/1.1 upgrade at central. */

import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import type { LinkTls } from "@tijolo/protocol/kit/link";
import { tunnelPath, tunnelProtocol } from "@tijolo/protocol";

/**
 * Resolves with the raw connection after central's 101; rejects with central's refusal, after `timeoutMs`, or
 * when `signal` aborts.
 */
export function dialTunnel(options: {
  centralUrl: string;
  tls?: LinkTls | undefined;
  bearer: string;
  timeoutMs: number;
  signal: AbortSignal;
}): Promise<Socket> {
  const url = new URL(tunnelPath, options.centralUrl);
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const deadline = AbortSignal.timeout(options.timeoutMs);
    const dialing = request(url, {
      ...options.tls,
      agent: false,
      signal: AbortSignal.any([options.signal, deadline]),
      headers: { connection: "Upgrade", upgrade: tunnelProtocol, authorization: `Bearer ${options.bearer}` },
    });
    dialing.once("upgrade", (response, socket: Socket, head) => {
      if (response.headers.upgrade?.toLowerCase() !== tunnelProtocol) {
        socket.destroy();
        return reject(new Error("central switched to another protocol"));
      }
      socket.setTimeout(0);
      socket.setNoDelay(true);
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    dialing.once("response", (response) => {
      response.destroy();
      reject(new Error(`central refused the tunnel with status ${response.statusCode}`));
    });
    dialing.on("error", (error) =>
      reject(new Error("central cannot be reached for the tunnel", { cause: error })),
    );
    dialing.end();
  });
}
