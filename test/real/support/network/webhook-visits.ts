/**
 * Program of a test: posts webhooks to names of its own DNS server, in a network namespace of its own, and
 * prints which results they had and which addresses were reached.
 */

import { once } from "node:events";
import { createServer } from "node:http";
import type { Answer } from "dns-packet";
import { FakeUpstream } from "../../../../agent/src/network/resolver/test-upstream.ts";
import { resolveByDns } from "../../../../central/src/app/outbound/checked-lookup.ts";
import { postJson } from "../../../../central/src/app/notices/post-json.ts";

/** The address that counts as public, and those inside; all of them are this program's. */
const outside = "93.184.216.34";
const inside = ["127.0.0.1", "10.1.2.3", "169.254.169.254"];
const port = 8080;

const a = (name: string, ...addresses: string[]): Answer[] =>
  addresses.map((data) => ({ type: "A", name, ttl: 0, data }));
const aaaa = (name: string, data: string): Answer[] => [{ type: "AAAA", name, ttl: 0, data }];
const records: Record<string, Answer[]> = {
  "outside.example A": a("outside.example", outside),
  "loopback.example A": a("loopback.example", "127.0.0.1"),
  "home.example A": a("home.example", "10.1.2.3"),
  "metadata.example A": a("metadata.example", "169.254.169.254"),
  "six.example AAAA": aaaa("six.example", "::1"),
  "mapped.example AAAA": aaaa("mapped.example", "::ffff:10.1.2.3"),
  "chain.example A": [
    { type: "CNAME", name: "chain.example", ttl: 0, data: "home.example" },
    ...a("home.example", "10.1.2.3"),
  ],
  "mixed.example A": a("mixed.example", "10.1.2.3", outside, "127.0.0.1"),
};

export interface Visits {
  /** Addresses at which the receiver answers whoever connects to them. */
  there: string[];
  posts: { url: string; mayReachPrivate: boolean; result: string; reached: string[] }[];
}

let reached: string[] = [];
const receiver = createServer((request, response) => {
  reached.push(`${request.socket.localAddress?.replace("::ffff:", "")}${request.url}`);
  if (request.url !== "/redirect") return response.writeHead(204).end();
  return response.writeHead(302, { location: `http://10.1.2.3:${port}/inside` }).end();
});
await once(receiver.listen(port, "::"), "listening");
await FakeUpstream.open({ address: "127.0.0.1", port: 53, records });

const visits: Visits = { there: [], posts: [] };
for (const address of [outside, ...inside, "[::1]"]) {
  const { status } = await fetch(`http://${address}:${port}/`);
  if (status === 204) visits.there.push(address);
}
const names = Object.keys(records).map((key) => key.replace(/ .*/, ""));
for (const mayReachPrivate of [false, true]) {
  for (const place of [
    ...names.map((name) => `${name}/hook`),
    "outside.example/redirect",
    "none.example/hook",
  ]) {
    const [name = "", path = ""] = place.split("/");
    const url = `http://${name}:${port}/${path}`;
    reached = [];
    const signal = new AbortController().signal;
    const post = { url, headers: {}, body: "{}" };
    const result = await postJson(post, { resolve: resolveByDns, policy: { mayReachPrivate }, signal });
    visits.posts.push({
      url: place,
      mayReachPrivate,
      result: result.isSent ? "sent" : result.code,
      reached,
    });
  }
}
console.log(JSON.stringify(visits));
process.exit();
