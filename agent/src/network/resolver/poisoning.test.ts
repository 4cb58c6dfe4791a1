/**
 * Attacks the resolver's queries to the host's resolvers, by a sender who is not on the path and by one that
 * guesses all but the id.
 */

import assert from "node:assert/strict";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { test, type TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { decode, encode } from "dns-packet";
import { until } from "../../../../test/support/until.ts";
import { askByTcp, askByUdp } from "./ask-upstream.ts";
import { FairShare, shareLimits } from "./fair-share.ts";
import { Resolver } from "./resolver.ts";
import { FakeUpstream } from "./test-upstream.ts";
import { ZoneTable } from "./zone.ts";

const question = { name: "bank.example", type: "A" } as const;
const query = encode({ type: "query", id: 77, flags: 0x100, questions: [question] });
const patient = { nextAfterMs: 20_000, deadlineMs: 20_000 };
const forgedAddress = "6.6.6.6";

interface Asked {
  id: number;
  port: number;
  name: string;
}

/** Opens an upstream resolver whose answers the test sends by hand, over UDP alone. */
async function openSilent(
  t: TestContext,
  address = "127.0.0.1",
  port = 0,
): Promise<{ socket: Socket; port: number; asked: Asked[] }> {
  const socket = createSocket({ type: "udp4", recvBufferSize: 1 << 20 }).bind(port, address);
  t.after(() => socket.close());
  await once(socket, "listening");
  const asked: Asked[] = [];
  socket.on("message", (message, from) => {
    const { id = 0, questions = [] } = decode(message);
    asked.push({ id, port: from.port, name: questions[0]?.name ?? "" });
  });
  return { socket, port: socket.address().port, asked };
}

function answerWith(
  address: string,
  { id, name = question.name, type = "A" }: { id: number; name?: string; type?: string },
): Buffer {
  const questions = [{ name, type: type as "A" }];
  return encode({
    type: "response",
    id,
    flags: 0x180,
    questions,
    answers: [{ type: "A", name: question.name, ttl: 60, data: address }],
  });
}

function addressesIn(answer: Buffer | null): string[] | null {
  return answer === null
    ? null
    : (decode(answer).answers ?? []).flatMap((each) => (each.type === "A" ? [each.data] : []));
}

async function send(socket: Socket, message: Buffer, port: number): Promise<void> {
  await new Promise((resolve) => socket.send(message, port, "127.0.0.1", resolve));
}

test("an answer from another address or port, for another name or type, or with another id, is not taken", async (t) => {
  const upstream = await openSilent(t);
  const later = await openSilent(t, "127.0.0.2", upstream.port);
  const otherPort = await openSilent(t);
  const otherAddress = await openSilent(t, "127.0.0.9", upstream.port);
  const answer = askByUdp(query, { upstreams: ["127.0.0.1", "127.0.0.2"], port: upstream.port, ...patient });
  await until(() => upstream.asked.length === 1);
  const [{ id, port } = { id: 0, port: 0 }] = upstream.asked;
  const good = answerWith(forgedAddress, { id });
  await send(otherPort.socket, good, port);
  await send(otherAddress.socket, good, port);
  await send(later.socket, good, port); // the second resolver, which has not been asked yet
  await send(upstream.socket, answerWith(forgedAddress, { id: id ^ 1 }), port);
  await send(upstream.socket, answerWith(forgedAddress, { id, name: "other.example" }), port);
  await send(upstream.socket, answerWith(forgedAddress, { id, type: "AAAA" }), port);
  await send(upstream.socket, answerWith("192.0.2.1", { id }), port);
  assert.deepEqual(addressesIn(await answer), ["192.0.2.1"]);
});

test("types are compared as they are: only letters of the name have a case", async (t) => {
  const upstream = await openSilent(t);
  const letterA = 0x41; // as a type, HTTPS
  const withType = (message: Buffer, type: number) =>
    Buffer.from(message).fill(type, query.length - 3, query.length - 2);
  const asked = withType(query, letterA);
  const answer = askByUdp(asked, { upstreams: ["127.0.0.1"], port: upstream.port, ...patient });
  await until(() => upstream.asked.length === 1);
  const [{ id, port } = { id: 0, port: 0 }] = upstream.asked;
  await send(upstream.socket, withType(answerWith(forgedAddress, { id }), letterA + 0x20), port);
  await send(upstream.socket, withType(answerWith("192.0.2.1", { id }), letterA), port);
  assert.deepEqual(addressesIn(await answer), ["192.0.2.1"]);
});

test("a sender who knows the port and forges the address does not get through by sending every id", async (t) => {
  const upstream = await openSilent(t);
  let taken = 0;
  let sent = 0;
  for (let round = 0; round < 3; round++) {
    const answer = askByUdp(query, {
      upstreams: ["127.0.0.1"],
      port: upstream.port,
      ...patient,
      deadlineMs: 10_000,
    });
    let isAnswered = false;
    void answer.then(() => (isAnswered = true));
    await until(() => upstream.asked.length > round);
    const { port = 0, id: right = 0 } = upstream.asked[round] ?? {};
    // From the id after the right one on, so that nearly all are wrong before it.
    for (let index = 1; index <= 65_536 && !isAnswered; index++) {
      await send(upstream.socket, answerWith(forgedAddress, { id: (right + index) & 0xffff }), port);
      sent++;
      if (index % 64 === 0) await delay(0); // so that none is lost in a full buffer
    }
    if (addressesIn(await answer)?.includes(forgedAddress)) taken++;
  }
  t.diagnostic(`${sent} forged answers sent, ${taken} of 3 questions taken over`);
  assert.ok(sent > 10);
  assert.equal(taken, 0);
});

test("under such a flood the true answer comes over TCP", async (t) => {
  const upstream = await FakeUpstream.open({
    change: (answer) => {
      const right = answer.readUInt16BE(0);
      return Array.from({ length: 200 }, (_, index) =>
        answerWith(forgedAddress, { id: (right + 1 + index) & 0xffff }),
      );
    },
  });
  t.after(() => upstream.close());
  assert.deepEqual(
    addressesIn(await askByUdp(query, { upstreams: ["127.0.0.1"], port: upstream.port, ...patient })),
    ["192.0.2.1"],
  );
  assert.equal(upstream.askedByTcp, 1);
  assert.deepEqual(
    addressesIn(await askByTcp(query, { upstreams: ["127.0.0.1"], port: upstream.port, ...patient })),
    ["192.0.2.1"],
  );
});

test("source ports and ids of 500 questions cannot be foreseen", async (t) => {
  const upstream = await openSilent(t);
  upstream.socket.on("message", (message, from) => {
    upstream.socket.send(answerWith("192.0.2.1", { id: message.readUInt16BE(0) }), from.port, from.address);
  });
  for (let round = 0; round < 500; round++) {
    const answer = await askByUdp(query, { upstreams: ["127.0.0.1"], port: upstream.port, ...patient });
    assert.deepEqual(addressesIn(answer), ["192.0.2.1"]);
  }
  const [low = "0", high = "0"] = (await readPortRange()).split(/\s+/);
  const [ports, ids] = [upstream.asked.map(({ port }) => port), upstream.asked.map(({ id }) => id)];
  const [portFigures, idFigures] = [spreadOf(ports, Number(low), Number(high)), spreadOf(ids, 0, 65_535)];
  t.diagnostic(`ports of ${low} to ${high}: ${JSON.stringify(portFigures)}`);
  t.diagnostic(`ids: ${JSON.stringify(idFigures)}`);
  for (const { different, fullSixteenths, nearPrevious } of [portFigures, idFigures]) {
    // Of 500 random ones of 28,000 some 496 differ; a fixed port gives 1, a counter only near ones.
    assert.ok(different > 470, `${different} different`);
    assert.equal(fullSixteenths, 16);
    assert.ok(nearPrevious < 15, `${nearPrevious} near the one before`);
  }
});

test("what a project asks or is answered is remembered for no other one", async (t) => {
  const upstream = await openSilent(t);
  let answered = 0;
  upstream.socket.on("message", (message, from) => {
    const { id = 0, questions = [] } = decode(message);
    const name = questions[0]?.name ?? "";
    const answers = [
      { type: "A", name, ttl: 86_400, data: ++answered === 1 ? forgedAddress : "192.0.2.1" },
    ] as const;
    // Records of other names, as a poisoner adds them: nobody may be given them later.
    const authorities = [{ type: "NS", name: "example", ttl: 86_400, data: "ns.evil.test" }] as const;
    const additionals = [{ type: "A", name: "svc-bbbbbbbb", ttl: 86_400, data: forgedAddress }] as const;
    const records = { answers: [...answers], authorities: [...authorities], additionals: [...additionals] };
    upstream.socket.send(
      encode({ type: "response", id, flags: 0x180, questions, ...records }),
      from.port,
      from.address,
    );
  });
  const projects = [
    { address: "10.0.0.1", accountId: "A", name: "svc-aaaaaaaa", isRunning: true },
    { address: "10.0.0.2", accountId: "A", name: "svc-bbbbbbbb", isRunning: true },
    { address: "10.0.0.3", accountId: "B", name: "svc-cccccccc", isRunning: true },
  ];
  const zone = new ZoneTable({ upstreams: ["127.0.0.1"], projects });
  const share = new FairShare(shareLimits, () => performance.now());
  const resolver = new Resolver({ zone: () => zone, share, upstream: { port: upstream.port, ...patient } });
  const ask = async (address: string, name: string) => {
    const message = encode({ type: "query", id: 5, flags: 0x100, questions: [{ name, type: "A" }] });
    return addressesIn(await resolver.answer(message, { address, port: 40_000, transport: "udp" }));
  };
  assert.deepEqual(
    await ask("10.0.0.1", question.name),
    [forgedAddress],
    "the lie is told to the one who asked",
  );
  assert.deepEqual(await ask("10.0.0.3", question.name), ["192.0.2.1"]);
  assert.deepEqual(await ask("10.0.0.1", question.name), ["192.0.2.1"]);
  assert.deepEqual(
    await ask("10.0.0.1", "svc-bbbbbbbb"),
    ["10.0.0.2"],
    "the zone's own address, not the one of the extra record",
  );
  assert.deepEqual(await ask("10.0.0.3", "svc-bbbbbbbb"), []);
  assert.equal(answered, 3, "own names are not asked outside");
});

test("an answer that is as large as can be, or whose names point in a circle, neither stops nor stalls the resolver", async (t) => {
  const upstream = await openSilent(t);
  const large = Buffer.concat([query, Buffer.alloc(65_000 - query.length, 7)]);
  const circle = Buffer.concat([
    query,
    Buffer.from([0xc0, query.length, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 6, 6, 6, 6]),
  ]);
  const countless = Buffer.from(query);
  for (const offset of [6, 8, 10]) countless.writeUInt16BE(0xffff, offset);
  for (const hostile of [large, circle, countless]) {
    const before = upstream.asked.length;
    const answer = askByUdp(query, { upstreams: ["127.0.0.1"], port: upstream.port, ...patient });
    await until(() => upstream.asked.length > before);
    const { id = 0, port = 0 } = upstream.asked.at(-1) ?? {};
    const reply = Buffer.from(hostile);
    reply.writeUInt16BE(id, 0);
    reply.writeUInt16BE(0x8180, 2);
    await send(upstream.socket, reply, port);
    assert.equal((await answer)?.length, hostile.length, "it is handed on unread, to the one who asked");
  }
});

async function readPortRange(): Promise<string> {
  return (await readFile("/proc/sys/net/ipv4/ip_local_port_range", "utf8")).trim();
}

/**
 * Returns how different the values are, into how many sixteenths of the range they fall, and how many follow
 * closely on the one before.
 */
function spreadOf(values: readonly number[], low: number, high: number) {
  const width = (high - low + 1) / 16;
  const near = values.filter(
    (value, index) => index > 0 && Math.abs(value - (values[index - 1] ?? 0)) < (high - low) / 1_000,
  );
  return {
    different: new Set(values).size,
    fullSixteenths: new Set(values.map((value) => Math.floor((value - low) / width))).size,
    nearPrevious: near.length,
  };
}
