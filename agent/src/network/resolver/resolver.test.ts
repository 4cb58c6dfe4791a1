import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, encode, type Packet } from "dns-packet";
import { FairShare, shareLimits } from "./fair-share.ts";
import { Resolver, type Asker } from "./resolver.ts";
import { FakeUpstream } from "./test-upstream.ts";
import { ZoneTable } from "./zone.ts";

const [mine, sibling, foreign, stopped] = ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"];
const projects = [
  { address: mine, accountId: "A", name: "svc-aaaaaaaa", isRunning: true },
  { address: sibling, accountId: "A", name: "svc-bbbbbbbb", isRunning: true },
  { address: foreign, accountId: "B", name: "svc-cccccccc", isRunning: true },
  { address: stopped, accountId: "A", name: "svc-dddddddd", isRunning: false },
];

interface Setting {
  upstreams?: readonly string[];
  port?: number;
  limits?: Partial<typeof shareLimits>;
}

function resolverWith({ upstreams = [], port = 9, limits = {} }: Setting = {}): Resolver {
  const zone = new ZoneTable({ upstreams: [...upstreams], projects });
  const share = new FairShare({ ...shareLimits, ...limits }, () => performance.now());
  return new Resolver({
    zone: () => zone,
    share,
    upstream: { port, nextAfterMs: 1_000, deadlineMs: 10_000 },
  });
}

const asker = (address: string, transport: Asker["transport"] = "udp"): Asker => ({
  address,
  port: 40_000,
  transport,
});
const query = (name: string, type = "A", parts: Partial<Packet> = {}) =>
  encode({ type: "query", id: 4711, flags: 0x100, questions: [{ name, type: type as "A" }], ...parts });

async function ask(resolver: Resolver, name: string, { type = "A", from = mine } = {}) {
  const reply = await resolver.answer(query(name, type), asker(from));
  assert.ok(reply !== null);
  const {
    rcode,
    answers = [],
    authorities = [],
    questions = [],
    ...rest
  } = decode(reply) as ReturnType<typeof decode> & { rcode: string };
  return { rcode, answers, authorities, questions, ...rest };
}

test("a running project of the account has an address for a few seconds, however its name is written", async () => {
  const resolver = resolverWith();
  for (const name of ["svc-bbbbbbbb", "SVC-BBBBBBBB", "sVc-bBbBbBbB", "svc-bbbbbbbb."]) {
    const { rcode, answers, questions, id, flag_qr: isResponse } = await ask(resolver, name);
    const written = name.replace(/\.$/, "");
    assert.deepEqual(
      [rcode, id, isResponse, questions[0]?.name],
      ["NOERROR", 4711, true, written],
      "the case is kept",
    );
    assert.deepEqual(
      answers.map((each) => each.type === "A" && [each.name, each.data, (each.ttl ?? 9) <= 5]),
      [[written, sibling, true]],
    );
  }
});

test("another type of a name that exists has no data, and the name is not denied", async () => {
  for (const type of ["AAAA", "TXT", "MX", "SRV", "HTTPS", "UNKNOWN_4711"]) {
    const { rcode, answers } = await ask(resolverWith(), "svc-bbbbbbbb", { type });
    assert.deepEqual([rcode, answers], ["NOERROR", []], type);
  }
});

test("another account's, a stopped and no project's name do not exist, are not asked outside, and nothing may be remembered of it", async () => {
  const upstream = await FakeUpstream.open();
  try {
    const resolver = resolverWith({ upstreams: [upstream.address], port: upstream.port });
    for (const name of ["svc-cccccccc", "svc-dddddddd", "svc-00000000"]) {
      for (const type of ["A", "AAAA"]) {
        const { rcode, answers, authorities } = await ask(resolver, name, { type });
        assert.deepEqual([rcode, answers, authorities], ["NXDOMAIN", [], []], name);
      }
    }
    assert.equal((await ask(resolver, "svc-cccccccc", { from: foreign })).rcode, "NOERROR");
    assert.deepEqual(upstream.asked, []);
    for (const name of ["svc-bbbbbbbb.example", "svc-bbbbbbbbb", "example"]) await ask(resolver, name);
    assert.equal(new Set(upstream.asked).size, 3);
  } finally {
    await upstream.close();
  }
});

test("who is no project gets no name", async () => {
  assert.equal((await ask(resolverWith(), "svc-bbbbbbbb", { from: "10.0.0.99" })).rcode, "REFUSED");
});

test("a question with EDNS is answered with EDNS", async () => {
  const opt = { type: "OPT", name: ".", udpPayloadSize: 4096, flags: 0, options: [] } as never;
  const reply = await resolverWith().answer(query("svc-bbbbbbbb", "A", { additionals: [opt] }), asker(mine));
  assert.ok(reply !== null);
  assert.deepEqual(
    decode(reply).additionals?.map(({ type }) => type),
    ["OPT"],
  );
});

test("what is no question of one name is refused by a code, and answers are not answered", async () => {
  const resolver = resolverWith();
  const codeOf = async (message: Buffer) => {
    const reply = await resolver.answer(message, asker(mine));
    return reply === null ? null : (reply[3] ?? 0) & 0x0f;
  };
  const good = query("svc-bbbbbbbb");
  const changed = (offset: number, value: number) => {
    const copy = Buffer.from(good);
    copy[offset] = value;
    return copy;
  };
  assert.equal(await codeOf(good), 0);
  assert.equal(await codeOf(changed(2, 0x81)), null, "an answer");
  assert.equal(await codeOf(good.subarray(0, 11)), null, "too short");
  assert.equal(await codeOf(changed(2, 0x28)), 4, "an update");
  assert.equal(await codeOf(changed(5, 2)), 1, "two questions");
  assert.equal(await codeOf(changed(5, 0)), 1, "none");
  assert.equal(await codeOf(good.subarray(0, good.length - 3)), 1, "cut short");
  assert.equal(await codeOf(changed(good.length - 1, 3)), 5, "class CH");
  assert.equal(await codeOf(query("svc-bbbbbbbb", "AXFR")), 5, "a whole zone");
  const loop = Buffer.concat([good.subarray(0, 12), Buffer.from([0xc0, 12, 0, 1, 0, 1])]);
  assert.equal(await codeOf(loop), 1, "a name that points at itself");
  const longName = Buffer.concat([
    good.subarray(0, 12),
    Buffer.alloc(64 * 5, Buffer.from([63, ...Buffer.alloc(63, 97)])),
    Buffer.from([0, 0, 1, 0, 1]),
  ]);
  assert.equal(await codeOf(longName), 1, "a name of 320 bytes");
  assert.equal(await codeOf(changed(7, 1)), 1, "an answer to it in itself");
  assert.equal(await codeOf(changed(9, 1)), 1, "an authority");
  assert.equal(await codeOf(changed(11, 3)), 1, "more than EDNS and a signature");
});

test("what stands after the question is not read: names in it that point at names cost nothing", async () => {
  const resolver = resolverWith({ limits: { perSecond: 1e9, burst: 1e9 } });
  const good = query("svc-bbbbbbbb");
  const labels = Buffer.concat([Buffer.alloc(240, Buffer.from([1, 97])), Buffer.from([0])]);
  const pointer = Buffer.from([0xc0, good.length]);
  const record = Buffer.concat([pointer, Buffer.from([0, 5, 0, 1, 0, 0, 0, 0, 0, 2]), pointer]);
  for (const [countAt, records] of [
    [7, 4_000],
    [9, 4_000],
    [11, 1],
    [11, 2],
  ] as const) {
    const message = Buffer.concat([good, labels, ...Array<Buffer>(records).fill(record)]);
    message.writeUInt16BE(records, countAt - 1);
    for (let times = 0; times < 100; times++)
      assert.ok((await resolver.answer(message, asker(mine))) !== null);
  }
});

test("100,000 random and damaged messages get an answer or none, and never more", async () => {
  const resolver = resolverWith({ limits: { perSecond: 1e9, burst: 1e9 } });
  const next = seeded(20_261_121);
  const bases = [
    query("svc-bbbbbbbb"),
    query("svc-cccccccc", "AAAA"),
    query("svc-bbbbbbbb", "A", { additionals: [{ type: "A", name: "svc-bbbbbbbb", data: "1.2.3.4" }] }),
  ];
  const counts = { answered: 0, ignored: 0 };
  for (let index = 0; index < 100_000; index++) {
    const base = bases[index % bases.length] ?? Buffer.alloc(0);
    const message = index % 4 === 0 ? randomBytes(next, next() % 100) : damaged(next, base);
    const reply = await resolver.answer(message, asker(mine));
    counts[reply === null ? "ignored" : "answered"]++;
    if (reply !== null)
      assert.ok(
        reply.length >= 12 &&
          reply.readUInt16BE(0) === message.readUInt16BE(0) &&
          ((reply[2] ?? 0) & 0x80) !== 0,
      );
  }
  assert.ok(counts.answered > 10_000 && counts.ignored > 10_000, JSON.stringify(counts));
  const { answers } = await ask(resolver, "svc-bbbbbbbb");
  assert.equal(answers.length, 1);
});

test("one project's flood takes nothing from another, and its own answers come again when it is over", async () => {
  const upstream = await FakeUpstream.open({ isSilent: true });
  try {
    const limits = { perSecond: 1_000, burst: 50, waitingPerProject: 8, waiting: 16 };
    const resolver = resolverWith({ upstreams: [upstream.address], port: upstream.port, limits });
    const flood = Array.from({ length: 500 }, (_, index) =>
      resolver.answer(query(`name-${index}.example`), asker(mine)),
    );
    assert.equal((await ask(resolver, "svc-aaaaaaaa", { from: sibling })).rcode, "NOERROR");
    upstream.isSilent = false;
    assert.equal((await ask(resolver, "example", { from: sibling })).rcode, "NOERROR");
    const replies = await Promise.all(flood);
    assert.equal(replies.filter((reply) => reply !== null).length, 8, "as many as may wait");
    assert.equal((await ask(resolver, "example")).rcode, "NOERROR");
  } finally {
    await upstream.close();
  }
});

test("a question that is sent again while it waits is asked once", async () => {
  const upstream = await FakeUpstream.open({ delayMs: 50 });
  try {
    const resolver = resolverWith({ upstreams: [upstream.address], port: upstream.port });
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => resolver.answer(query("example"), asker(mine))),
    );
    assert.deepEqual([replies.filter((reply) => reply !== null).length, upstream.asked], [1, ["example"]]);
  } finally {
    await upstream.close();
  }
});

test("without a resolver outside, own names go on and others fail", async () => {
  const resolver = resolverWith({ upstreams: [] });
  assert.equal((await ask(resolver, "svc-bbbbbbbb")).rcode, "NOERROR");
  const reply = await resolver.answer(query("example"), asker(mine));
  assert.equal((reply?.[3] ?? 0) & 0x0f, 2);
});

/** Returns a deterministic random generator (mulberry32), so that a failure can be repeated. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

function randomBytes(next: () => number, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => next() & 0xff));
}

/** Returns a copy with some bytes changed, some cut off, some added. */
function damaged(next: () => number, base: Buffer): Buffer {
  const copy = Buffer.concat([
    base.subarray(0, next() % 3 === 0 ? next() % base.length : base.length),
    randomBytes(next, next() % 8),
  ]);
  for (let change = next() % 4; change > 0 && copy.length > 0; change--)
    copy[next() % copy.length] = next() & 0xff;
  return copy;
}
