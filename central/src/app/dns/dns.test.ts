import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { test } from "node:test";
import { NameServer } from "../../../../test/support/domains/name-server.ts";
import { Dns } from "./dns.ts";

const lookupOf = (server: NameServer) => new Dns(server.lookups).lookup(AbortSignal.timeout(5_000));

test("the name servers of the closest zone are asked, and each zone is looked for once", async () => {
  await using server = await NameServer.open();
  server.zone("loja.dev");
  server.set("a.b.loja.dev", "TXT", ["um", "dois"]);
  const lookup = lookupOf(server);
  assert.deepEqual(await lookup.find("a.b.loja.dev", "TXT"), ["um", "dois"]);
  assert.deepEqual(await lookup.find("a.b.loja.dev", "A"), []);
  assert.equal(server.asked.filter((each) => each === "loja.dev NS").length, 1);
  assert.ok(!server.asked.includes("dev NS"), "what is above the zone is nobody's affair");
});

test("an answer that does not fit into a datagram comes over TCP", async () => {
  await using server = await NameServer.open();
  server.zone("loja.dev");
  const texts = Array.from({ length: 60 }, (_, index) => `texto número ${index}`);
  server.set("loja.dev", "TXT", texts);
  assert.deepEqual(await lookupOf(server).find("loja.dev", "TXT"), texts);
  assert.equal(server.askedByTcp, 1);
});

test("aliases are followed for addresses, in circles not for ever", async () => {
  await using server = await NameServer.open();
  server.zone("loja.dev");
  server.set("www.loja.dev", "CNAME", ["loja.dev"]);
  server.set("loja.dev", "A", ["192.0.2.1"]);
  server.set("one.loja.dev", "CNAME", ["two.loja.dev"]);
  server.set("two.loja.dev", "CNAME", ["one.loja.dev"]);
  const lookup = lookupOf(server);
  assert.deepEqual(await lookup.follow("www.loja.dev", "A"), ["192.0.2.1"]);
  assert.deepEqual(await lookup.find("www.loja.dev", "A"), []);
  assert.deepEqual(await lookup.follow("one.loja.dev", "A"), []);
});

test("a name server in a private network is not asked, unless that is allowed", async () => {
  await using server = await NameServer.open();
  server.zone("loja.dev");
  const dns = new Dns({ ...server.lookups, mayReachPrivate: false });
  await assert.rejects(dns.lookup(AbortSignal.timeout(5_000)).find("loja.dev", "TXT"), /no name servers/);
  assert.ok(!server.asked.includes("loja.dev TXT"));
});

test("a name server counts as asked by the addresses that a way leads to", async () => {
  await using server = await NameServer.open();
  server.zone("loja.dev");
  server.set("ns.nomes.dev", "AAAA", ["fd00::53"]);
  server.set("loja.dev", "TXT", ["um"]);
  assert.deepEqual(await lookupOf(server).findTextsAtEach("loja.dev"), [["um"]]);
  server.set("ns.nomes.dev", "A", []);
  await assert.rejects(lookupOf(server).findTextsAtEach("loja.dev"), /no server answers/);
});

test("silence ends with the signal", async () => {
  await using server = await NameServer.open();
  server.isSilent = true;
  const lookup = new Dns(server.lookups).lookup(AbortSignal.timeout(200));
  await assert.rejects(lookup.find("loja.dev", "TXT"));
});

test("of a name server with many addresses a few are asked", async () => {
  await using server = await NameServer.open();
  server.zone("loja.dev");
  const addresses = Array.from({ length: 6 }, (_, index) => `127.1.0.${index + 1}`);
  server.set("ns.nomes.dev", "A", addresses);
  const asked: string[] = [];
  using sockets = new DisposableStack();
  for (const address of addresses) {
    const silent = sockets.adopt(createSocket("udp4"), (socket) => socket.close());
    silent.on("message", () => asked.push(address)).bind(server.lookups.port, address);
    await once(silent, "listening");
  }
  const lookup = new Dns(server.lookups).lookup(AbortSignal.timeout(60_000));
  await assert.rejects(lookup.find("loja.dev", "TXT"), /no server answers/);
  assert.deepEqual(asked, addresses.slice(0, 2));
});
