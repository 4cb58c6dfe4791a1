/** Visits sites through the gateway of a cluster, as a browser does. */

import { request, type ClientRequest, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { WebSocket } from "ws";

export interface Answer {
  status: number;
  text: string;
}

const timeoutMs = 20_000;

/**
 * `http://<subdomain>.localhost:<port><path>`; its name resolves in browsers, and not on every machine. A
 * body is posted.
 */
export async function visit(
  gatewayPort: number,
  subdomain: string,
  path = "/",
  body?: string,
): Promise<Answer> {
  const { sent, answer } = open(gatewayPort, subdomain, path, body === undefined ? "GET" : "POST");
  sent.end(body);
  const response = await answer;
  return { status: response.statusCode ?? 0, text: await text(response) };
}

/** Opens a request whose body and answer are both open. */
export async function exchange(
  gatewayPort: number,
  subdomain: string,
  path: string,
): Promise<{ sent: ClientRequest; answer: IncomingMessage }> {
  const { sent, answer } = open(gatewayPort, subdomain, path, "POST");
  sent.flushHeaders();
  return { sent, answer: await answer };
}

/** Opens a WebSocket of the site. */
export async function socket(gatewayPort: number, subdomain: string, path: string): Promise<WebSocket> {
  const opened = new WebSocket(`ws://127.0.0.1:${gatewayPort}${path}`, {
    headers: { host: hostOf(gatewayPort, subdomain) },
  });
  await once(opened, "open", { signal: AbortSignal.timeout(timeoutMs) });
  return opened;
}

function open(
  gatewayPort: number,
  subdomain: string,
  path: string,
  method = "GET",
): { sent: ClientRequest; answer: Promise<IncomingMessage> } {
  const headers = { host: hostOf(gatewayPort, subdomain) };
  const sent = request({
    host: "127.0.0.1",
    port: gatewayPort,
    path,
    method,
    headers,
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answer = once(sent, "response").then(([response]) => response as IncomingMessage);
  return { sent, answer };
}

function hostOf(gatewayPort: number, subdomain: string): string {
  return `${subdomain}.localhost:${gatewayPort}`;
}
