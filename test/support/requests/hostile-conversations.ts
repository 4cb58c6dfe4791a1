/**
 * Lists raw conversations of hostile clients, as data: each kind of conversation that hands a socket on,
 * refuses it or breaks it, and each way in which a client disconnects. A listener of central that is added
 * later needs its lines here.
 */

import { connect, type Socket } from "node:net";
import { until } from "../until.ts";

export interface Conversation {
  title: string;
  bytes: string;
}

export const endings = [
  "closes",
  "says a byte more and closes",
  "resets",
  "stays",
  "half-closes and stays",
  "says a byte more and stays",
  "says a byte more, half-closes and stays",
] as const;
export type Ending = (typeof endings)[number];

const webSocketKey = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/** Returns the head of an upgrade; `lines` take the place of a Host header of their own. */
function upgradeOf(
  target: string,
  lines = "Host: a\r\n",
  { method = "GET", protocol = "websocket" } = {},
): string {
  return `${method} ${target} HTTP/1.1\r\n${lines}Connection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`;
}

const hidden = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n";

/** Ambiguously framed requests: what stands after the head `POST … Host: …`. */
export const ambiguousFramings: readonly string[] = [
  `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
  `Content-Length: +5\r\n\r\nhello`,
  `Content-Length: 5, 5\r\n\r\nhello`,
  `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`,
  `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
  `Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n`,
  `Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n`,
  `Transfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n`,
  `X: y\n\rContent-Length: 0\r\n\r\n`,
  `Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n`,
  ` folded: 1\r\nContent-Length: 0\r\n\r\n`,
];

/** Conversations for both listeners of central, API and gateway alike. */
const atEveryDoor: readonly Conversation[] = [
  ...ambiguousFramings.map((framing, index) => ({
    title: `ambiguous framing ${index + 1}`,
    bytes: `POST /front HTTP/1.1\r\nHost: a\r\n${framing}${hidden}`,
  })),
  { title: "no HTTP at all", bytes: "\x16\x03\x01\x02\x00\x01\x00\r\n\r\n" },
  { title: "CONNECT", bytes: "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n" },
  {
    title: "an upgrade after requests whose answers nobody reads",
    bytes: hidden.repeat(200) + upgradeOf("/link/tunnel"),
  },
  {
    title: "an upgrade that is no GET",
    bytes: upgradeOf("/link", `Host: a\r\n${webSocketKey}`, { method: "POST" }),
  },
  {
    title: "an upgrade with a body",
    bytes: upgradeOf("/link", `Host: a\r\nContent-Length: ${hidden.length}\r\n`) + hidden,
  },
  { title: "two upgrades at once", bytes: upgradeOf("/link").repeat(2) },
];

export const apiConversations: readonly Conversation[] = [
  ...atEveryDoor,
  { title: "an upgrade of what is not there", bytes: upgradeOf("/linkx") },
  { title: "an upgrade of an archive", bytes: upgradeOf("/link/archives/x") },
  { title: "a link with an unreadable Host", bytes: upgradeOf("/link", "Host: a b\r\n") },
  { title: "a link without a WebSocket handshake", bytes: upgradeOf("/link") },
  {
    title: "a link of an unknown WebSocket version",
    bytes: upgradeOf("/link", "Host: a\r\nSec-WebSocket-Version: 1\r\n"),
  },
  { title: "a link that says no hello", bytes: upgradeOf("/link", `Host: a\r\n${webSocketKey}`) },
  {
    title: "a link with random frames",
    bytes: `${upgradeOf("/link", `Host: a\r\n${webSocketKey}`)}\xff\xff\xff\xff\xff\xff`,
  },
  {
    title: "a tunnel without a bearer",
    bytes: upgradeOf("/link/tunnel", "Host: a\r\n", { protocol: "tijolo-tunnel" }),
  },
  {
    title: "a tunnel with a wrong bearer",
    bytes: upgradeOf("/link/tunnel", "Host: a\r\nAuthorization: Bearer x\r\n", { protocol: "tijolo-tunnel" }),
  },
  { title: "a tunnel of another protocol", bytes: upgradeOf("/link/tunnel") },
  {
    title: "a tunnel that is refused after answers that nobody reads",
    bytes: "GET /api/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n".repeat(100) + upgradeOf("/link/tunnel"),
  },
  {
    title: "a link that is refused after answers that nobody reads",
    bytes: "GET /api/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n".repeat(100) + upgradeOf("/link"),
  },
];

/** Conversations for the gateway's visits; `blog.localhost` must be a site, or none. */
export const gatewayConversations: readonly Conversation[] = [
  ...atEveryDoor,
  { title: "a WebSocket of a site", bytes: upgradeOf("/", `Host: blog.localhost\r\n${webSocketKey}`) },
  { title: "a WebSocket of no site", bytes: upgradeOf("/", `Host: nobody.localhost\r\n${webSocketKey}`) },
  { title: "a WebSocket of no host", bytes: upgradeOf("/", webSocketKey) },
  {
    title: "a WebSocket with too many headers",
    bytes: upgradeOf("/", `Host: blog.localhost\r\n${"X: 1\r\n".repeat(250)}`),
  },
  { title: "a WebSocket with an unreadable Host", bytes: upgradeOf("/", "Host: a b\r\n") },
  { title: "a WebSocket of another address", bytes: upgradeOf("http://evil/", "Host: blog.localhost\r\n") },
];

/**
 * Sends the conversation, waits for the first byte of an answer or the end, and disconnects. Resolves with
 * the connection where the client stays. With `isDeaf` the client reads nothing at all.
 */
export async function converse(
  port: number,
  { bytes, title }: Conversation,
  ending: Ending,
): Promise<Socket | undefined> {
  const isDeaf = title.includes("nobody reads");
  const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
  let isAnswered = false;
  socket.on("error", () => {});
  for (const event of isDeaf ? ["drain", "close"] : ["data", "end", "close"])
    socket.once(event, () => (isAnswered = true));
  socket.write(bytes, "latin1", () => (isAnswered ||= isDeaf));
  await until(() => isAnswered, { timeoutMs: 20_000 });
  if (ending === "resets") socket.resetAndDestroy();
  if (ending.startsWith("says a byte more")) socket.write("x");
  if (ending.includes("closes")) socket.end();
  if (ending.endsWith("closes")) {
    if (!isDeaf) await until(() => socket.writableFinished || socket.destroyed);
    socket.destroy();
  }
  return socket.destroyed ? undefined : socket;
}
