import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, encode } from "dns-packet";
import { until } from "../../../../test/support/until.ts";
import { askByTcp, askByUdp } from "./ask-upstream.ts";
import { FakeUpstream, type FakeUpstreamOptions } from "./test-upstream.ts";

const query = encode({
  type: "query",
  id: 77,
  flags: 0x100,
  questions: [{ name: "eXample.org", type: "A" }],
});
/** Generous: a slow machine is no failure. */
const patient = { nextAfterMs: 5_000, deadlineMs: 20_000 };
/** The next one is asked soon. */
const brisk = { ...patient, nextAfterMs: 1_000 };

async function withUpstreams(
  options: readonly FakeUpstreamOptions[],
  work: (upstreams: FakeUpstream[], port: number) => Promise<void>,
) {
  const first = await FakeUpstream.open({ ...options[0], address: "127.0.0.1" });
  const opened = [first];
  try {
    for (const [index, each] of options.slice(1).entries())
      opened.push(await FakeUpstream.open({ ...each, address: `127.0.0.${index + 2}`, port: first.port }));
    await work(opened, first.port);
  } finally {
    for (const each of opened) await each.close();
  }
}

const addressIn = (answer: Buffer | null) => {
  assert.ok(answer !== null);
  const { id, answers = [] } = decode(answer);
  assert.equal(id, 77);
  return answers.flatMap((each) => (each.type === "A" ? [each.data] : []));
};

const changed = (change: (answer: Buffer) => void) => (answer: Buffer) => {
  const copy = Buffer.from(answer);
  change(copy);
  return copy;
};
const failing = (rcode: number) => ({
  change: (answer: Buffer) => [
    changed((copy) => copy.writeUInt8(((copy[3] ?? 0) & 0xf0) | rcode, 3))(answer),
  ],
});

test("the first resolver's answer is handed on as it is, with the asker's id and the case of the name", async () => {
  await withUpstreams([{}], async ([upstream], port) => {
    const answer = await askByUdp(query, { upstreams: ["127.0.0.1"], port, ...patient });
    assert.deepEqual(addressIn(answer), ["192.0.2.1"]);
    assert.deepEqual(upstream?.asked, ["eXample.org"]);
  });
});

test("a resolver that is silent or failing is followed by the next one", async () => {
  for (const first of [{ isSilent: true }, failing(2), failing(5)]) {
    await withUpstreams([first, {}], async ([, second], port) => {
      const answer = await askByUdp(query, { upstreams: ["127.0.0.1", "127.0.0.2"], port, ...brisk });
      assert.deepEqual(addressIn(answer), ["192.0.2.1"]);
      assert.equal(second?.asked.length, 1);
    });
  }
});

test("a late answer of the first counts while the second is asked", async () => {
  await withUpstreams([{ delayMs: 400 }, { isSilent: true }], async (_, port) => {
    const answer = await askByUdp(query, {
      upstreams: ["127.0.0.1", "127.0.0.2"],
      port,
      ...patient,
      nextAfterMs: 200,
    });
    assert.deepEqual(addressIn(answer), ["192.0.2.1"]);
  });
});

test("when all fail the failure is told, and when all are silent there is no answer", async () => {
  await withUpstreams([failing(2)], async (_, port) => {
    const answer = await askByUdp(query, { upstreams: ["127.0.0.1"], port, ...patient });
    assert.equal((answer?.[3] ?? 0) & 0x0f, 2);
  });
  await withUpstreams([{ isSilent: true }], async ([upstream], port) => {
    assert.equal(
      await askByUdp(query, { upstreams: ["127.0.0.1"], port, nextAfterMs: 20, deadlineMs: 3_000 }),
      null,
    );
    await until(() => (upstream?.asked.length ?? 0) >= 2);
    assert.equal(upstream?.asked.length, 2, "each resolver twice");
  });
});

test("that a name does not exist is an answer", async () => {
  await withUpstreams([failing(3), {}], async ([, second], port) => {
    const answer = await askByUdp(query, { upstreams: ["127.0.0.1", "127.0.0.2"], port, ...patient });
    assert.deepEqual([(answer?.[3] ?? 0) & 0x0f, second?.asked.length], [3, 0]);
  });
});

test("an answer with another id, another question, or that is a question, is not taken", async () => {
  const forged = [
    changed((copy) => copy.writeUInt16BE(copy.readUInt16BE(0) ^ 1, 0)),
    changed((copy) => copy.writeUInt8(0x78, 13)),
    changed((copy) => copy.writeUInt8((copy[2] ?? 0) & 0x7f, 2)),
    () => Buffer.from([1, 2, 3]),
    () => Buffer.alloc(0),
  ];
  const isForged = (answer: Buffer) => {
    const lie = Buffer.from(answer);
    lie.set([6, 6, 6, 6], lie.length - 4);
    return forged.map((forge) => forge(lie));
  };
  await withUpstreams([{ change: (answer) => [...isForged(answer), answer] }], async (_, port) => {
    assert.deepEqual(addressIn(await askByUdp(query, { upstreams: ["127.0.0.1"], port, ...patient })), [
      "192.0.2.1",
    ]);
  });
});

test("an answer that was cut short says so to the asker, who gets the whole one by TCP", async () => {
  const cutShort = {
    change: (answer: Buffer) => [changed((copy) => copy.writeUInt8((copy[2] ?? 0) | 0x02, 2))(answer)],
  };
  await withUpstreams([cutShort], async ([upstream], port) => {
    const options = { upstreams: ["127.0.0.1"], port, ...patient };
    const first = await askByUdp(query, options);
    assert.ok(first !== null && decode(first).flag_tc);
    assert.deepEqual(addressIn(await askByTcp(query, options)), ["192.0.2.1"]);
    assert.equal(upstream?.askedByTcp, 1);
  });
});

test("where no resolver listens on TCP the answer comes over UDP", async () => {
  await withUpstreams([{ hasTcp: false }], async ([upstream], port) => {
    assert.deepEqual(addressIn(await askByTcp(query, { upstreams: ["127.0.0.1"], port, ...patient })), [
      "192.0.2.1",
    ]);
    assert.equal(upstream?.askedByTcp, 0);
  });
});

test("by TCP too the next resolver is asked when one does not listen", async () => {
  await withUpstreams([{}], async (_, port) => {
    assert.deepEqual(
      addressIn(await askByTcp(query, { upstreams: ["127.0.0.9", "127.0.0.1"], port, ...patient })),
      ["192.0.2.1"],
    );
    assert.equal(
      await askByTcp(query, { upstreams: ["127.0.0.9"], port, nextAfterMs: 20, deadlineMs: 300 }),
      null,
    );
  });
});
