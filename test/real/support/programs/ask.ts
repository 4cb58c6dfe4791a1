/** Requests of any kind to a site behind the gateway, without its name being known to a resolver. */

import { once } from "node:events";
import { createServer, request, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

const timeoutMs = 60_000;

/** The whole answer; redirections are not followed. */
export async function ask(
  gatewayPort: number,
  subdomain: string,
  path: string,
  { method, headers, body }: Asked = {},
): Promise<Response> {
  const sent = request({
    host: "127.0.0.1",
    port: gatewayPort,
    path,
    method: method ?? "GET",
    headers: {
      ...headers,
      host: `${subdomain}.localhost:${gatewayPort}`,
      "content-length": Buffer.byteLength(body ?? ""),
    },
    signal: AbortSignal.timeout(timeoutMs),
  });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const content = await buffer(answer);
  const status = answer.statusCode ?? 0;
  const isBare = status === 204 || status === 304 || content.length === 0;
  return new Response(isBare ? null : new Uint8Array(content), { status, headers: headersOf(answer) });
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  return headers;
}

/**
 * Starts a proxy on loopback for clients that are programs of their own; it uses the gateway for every name.
 * Returns its port; closed with `server`.
 */
export async function gatewayProxy(gatewayPort: number): Promise<{ port: number; server: Server }> {
  const server = createServer((incoming, outgoing) => {
    const { host, pathname, search } = new URL(incoming.url ?? "/", "http://unnamed.localhost");
    const onward = request({
      host: "127.0.0.1",
      port: gatewayPort,
      path: `${pathname}${search}`,
      method: incoming.method ?? "GET",
      headers: { ...incoming.headers, host },
    });
    onward.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", (error) => outgoing.destroy(error));
    incoming.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, server };
}
