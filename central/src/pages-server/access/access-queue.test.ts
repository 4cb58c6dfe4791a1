import assert from "node:assert/strict";
import { test } from "node:test";
import { maxAccessLines, type AccessLines, type AccessLog } from "@tijolo/protocol";
import type { Visit } from "../visits/visit.ts";
import { AccessQueue } from "./access-queue.ts";

const visitOf = (projectId: string, path = "/", at = 0): Visit => ({
  projectId,
  at,
  method: "GET",
  path,
  host: "loja.dev",
  status: 200,
  bytes: 1,
  durationMs: 1,
  address: "203.0.113.7",
  userAgent: "",
  referrer: "",
});

function queueOf({ fails = () => false }: { fails?: (hostId: string) => boolean } = {}) {
  const modes = new Map<string, AccessLog>();
  const hosts = new Map<string, string>();
  const sent: [string, AccessLines][] = [];
  let batches = 0;
  const queue = new AccessQueue({
    modeOf: (projectId) => modes.get(projectId) ?? "off",
    findHost: async (projectId) => hosts.get(projectId),
    async send(hostId, lines) {
      sent.push([hostId, lines]);
      if (fails(hostId)) throw new Error("away");
    },
    createBatchId: () => String(++batches),
    now: () => 1_000,
    logger: { debug() {} },
  });
  return { queue, modes, hosts, sent };
}

test("only visits of sites that log them are sent, each to its site's host, with the address as it is set", async () => {
  const { queue, modes, hosts, sent } = queueOf();
  for (const [id, host, mode] of [
    ["a", "h1", "full"],
    ["b", "h1", "short"],
    ["c", "h2", "off"],
  ] as const) {
    modes.set(id, mode);
    hosts.set(id, host);
    queue.note(visitOf(id));
  }
  modes.set("gone", "full");
  queue.note(visitOf("gone"));
  queue.note(visitOf("a", "/2", Number.NaN));
  await queue.flush();
  const line = (address: string, path = "/") => `${address} "GET ${path}" 200 1 1ms "-" "-"`;
  const [early, late] = ["1970-01-01T00:00:00.000Z", "1970-01-01T00:00:01.000Z"];
  assert.deepEqual(sent, [
    [
      "h1",
      {
        batch: "1",
        sites: [
          {
            projectId: "a",
            lines: [
              { at: early, text: line("203.0.113.7") },
              { at: late, text: line("203.0.113.7", "/2") },
            ],
            droppedLines: 0,
          },
          { projectId: "b", lines: [{ at: early, text: line("203.0.113.0") }], droppedLines: 0 },
        ],
      },
    ],
  ]);
  await queue.flush();
  assert.equal(sent.length, 1, "nothing is sent twice, and nothing is kept of a project that is gone");
});

test("what a host did not take is sent again as it was; beyond the bound the oldest go, and are counted", async () => {
  let isAway = true;
  const { queue, modes, hosts, sent } = queueOf({ fails: (hostId) => isAway && hostId === "h1" });
  for (const [id, host] of [
    ["a", "h1"],
    ["b", "h2"],
  ] as const) {
    modes.set(id, "full");
    hosts.set(id, host);
  }
  queue.note(visitOf("a", "/first"));
  await queue.flush();
  for (let index = 0; index < 1_500; index++) queue.note(visitOf("a", `/${index}`));
  queue.note(visitOf("b"));
  await queue.flush();
  assert.deepEqual(
    sent.map(([host, { batch }]) => `${host} ${batch}`),
    ["h1 1", "h1 1", "h2 2"],
    "a host that is away holds no other up",
  );
  isAway = false;
  await queue.flush();
  assert.equal(sent[3]?.[1].batch, "1", "by which the host knows it again");
  const [first, next] = sent.slice(3).flatMap(([, { sites }]) => sites);
  assert.deepEqual([first?.droppedLines, first?.lines.length], [0, 1]);
  assert.deepEqual([next?.droppedLines, next?.lines.length], [500, 1_000]);
  assert.match(next?.lines[0]?.text ?? "", /"GET \/500"/);
});

test("a batch has no more sites than a host takes, also where all that is left of them is a count", async () => {
  const { queue, modes, hosts, sent } = queueOf();
  const ids = Array.from({ length: maxAccessLines + 500 }, (_, index) => `p${index}`);
  for (const id of ids) {
    modes.set(id, "full");
    hosts.set(id, "h1");
  }
  // All lines that may wait are other sites': of these only the number is known.
  for (let site = 0; site < 20; site++) {
    modes.set(`busy-${site}`, "full");
    hosts.set(`busy-${site}`, "h2");
    for (let line = 0; line < 1_000; line++) queue.note(visitOf(`busy-${site}`));
  }
  for (const id of ids) queue.note(visitOf(id));
  await queue.flush();
  const counted = sent.flatMap(([host, { sites }]) => (host === "h1" ? [sites] : []));
  assert.deepEqual(
    counted.flat().map(({ droppedLines }) => droppedLines),
    ids.map(() => 1),
  );
  assert.ok(counted.every((sites) => sites.length <= maxAccessLines));
});
