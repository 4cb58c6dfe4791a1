import assert from "node:assert/strict";
import { test } from "node:test";
import type { CertificatesUpdate } from "@tijolo/protocol";
import { certificatesFeed } from "./certificates-feed.ts";

const certificate = (id: string, privateKey: string | null = "key") => ({
  id,
  names: [`${id}.example.com`],
  chain: "chain",
  privateKey,
});
const proof = { name: "a.example.com", certificate: "certificate", privateKey: "key" };
const challenges = { names: ["a.example.com"], thumbprint: "t".repeat(43) };

type List = ReturnType<typeof certificate>[];

/** Returns the updates of a feed whose list grows by `later` once the first update has been sent. */
function updates(
  first: List,
  { later = [], ...options }: { held?: string[]; isPrivate?: boolean; later?: List } = {},
): Promise<CertificatesUpdate[]> {
  return updatesOf(later.length === 0 ? [first] : [first, [...first, ...later]], options);
}

/** Returns the updates of a feed whose list becomes the next of these each time it has been sent. */
async function updatesOf(
  lists: readonly List[],
  { held = [], isPrivate = true }: { held?: string[]; isPrivate?: boolean } = {},
): Promise<CertificatesUpdate[]> {
  const end = new AbortController();
  let at = 0;
  let wake = () => {};
  const backend = {
    listCertificates: async () => lists[at] ?? [],
    listChallenges: () => challenges,
    listProofs: () => [proof],
    onCertificatesChange: (listener: () => void) => {
      wake = listener;
      return () => {};
    },
  };
  const seen: CertificatesUpdate[] = [];
  const way = { drained: async () => {}, isPrivate, signal: end.signal };
  for await (const update of certificatesFeed(backend, { held }, way)) {
    seen.push(update);
    if (update.ids === null) continue;
    at += 1;
    if (at === lists.length) end.abort();
    wake();
  }
  return seen;
}

test("a gateway gets what it lacks, in parts, and then only what is new", async () => {
  const many = Array.from({ length: 120 }, (_, index) => certificate(`c${index}`));
  const seen = await updates(many, { held: ["c0"], later: [certificate("new")] });
  assert.deepEqual(
    seen.map(({ certificates, ids }) => [certificates.length, ids?.length]),
    [
      [50, undefined],
      [50, undefined],
      [19, 120],
      [1, 121],
    ],
  );
});

test("one whose key does not open is named and not sent: who holds it goes on with it", async () => {
  const [update] = await updates([certificate("a"), certificate("sealed", null)]);
  assert.deepEqual([update?.certificates.map(({ id }) => id), update?.ids], [["a"], ["a", "sealed"]]);
});

test("proofs of names over TLS go to a gateway, and not where others may read along", async () => {
  const [toAll] = await updates([], {});
  const [toNobody] = await updates([], { isPrivate: false });
  assert.deepEqual([toAll?.proofs, toNobody?.proofs], [[proof], undefined]);
});

test("where others may read along no key is sent, and nothing is taken away", async () => {
  const [update, ...others] = await updates([certificate("a"), certificate("b")], {
    held: ["a"],
    isPrivate: false,
  });
  assert.deepEqual([update, others], [{ certificates: [], ids: ["a"], challenges }, []]);
});

test("one that was taken away is sent again when it is to be served again", async () => {
  const one = [certificate("a")];
  const seen = await updatesOf([one, [], one]);
  assert.deepEqual(
    seen.map(({ certificates, ids }) => [certificates.length, ids?.length]),
    [
      [1, 1],
      [0, 0],
      [1, 1],
    ],
  );
});
