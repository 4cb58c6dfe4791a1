import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { Countries } from "./countries.ts";
import { VisitCounter } from "./visit-counter.ts";
import type { SiteCounts } from "./site-counts.ts";
import type { Visit } from "./visit.ts";
import { VisitorHash } from "./visitor-hash.ts";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0";
const at = Date.parse("2026-03-04T10:20:00Z");

function visitOf(changes: Partial<Visit> = {}): Visit {
  return {
    projectId: "site",
    at,
    method: "GET",
    path: "/",
    host: "site.example",
    status: 200,
    bytes: 1_000,
    durationMs: 20,
    address: "192.0.2.1",
    userAgent: firefox,
    referrer: "",
    ...changes,
  };
}

function counterOf(options: { maxBytes?: number } = {}): { counter: VisitCounter; early: SiteCounts[] } {
  const early: SiteCounts[] = [];
  const hash = new VisitorHash(Buffer.alloc(32, 7));
  const counter = new VisitCounter({
    visitors: () => hash,
    countries: new Countries(),
    onEarly: (counts) => early.push(...counts),
    ...options,
  });
  return { counter, early };
}

function countAll(visits: Iterable<Visit>): SiteCounts {
  const { counter } = counterOf();
  for (const visit of visits) counter.count(visit);
  const [counts, ...more] = counter.take();
  assert.ok(counts !== undefined && more.length === 0);
  return counts;
}

const valuesOf = ({ tops }: SiteCounts, dimension: Parameters<typeof tops.get>[0]) =>
  tops
    .get(dimension)
    ?.list(64)
    .map(({ value, requests }) => [value, requests]) ?? [];

test("requests, bytes, errors, visitors and all tops are counted", () => {
  const counts = countAll([
    visitOf({ referrer: "https://news.example/1" }),
    visitOf({ path: "/a?b=c", status: 503 }),
    visitOf({ address: "192.0.2.2", method: "POST", status: 404 }),
  ]);
  const { requests, bytes, errors, botRequests, visitors } = counts.sums;
  assert.deepEqual(
    { requests, bytes, errors, botRequests },
    { requests: 3, bytes: 3_000, errors: 1, botRequests: 0 },
  );
  assert.equal(visitors.estimate(), 2);
  assert.deepEqual(valuesOf(counts, "paths"), [
    ["/", 2],
    ["/a", 1],
  ]);
  assert.deepEqual(valuesOf(counts, "referrers"), [["news.example", 1]]);
  assert.deepEqual(valuesOf(counts, "statuses"), [
    ["200", 1],
    ["404", 1],
    ["503", 1],
  ]);
  assert.deepEqual(valuesOf(counts, "methods"), [
    ["GET", 2],
    ["POST", 1],
  ]);
  assert.deepEqual(valuesOf(counts, "browsers"), [["Firefox", 3]]);
  assert.deepEqual(valuesOf(counts, "systems"), [["Linux", 3]]);
  assert.deepEqual(valuesOf(counts, "devices"), [["desktop", 3]]);
});

test("a bot is a request and no visit, and stands in no top of people", () => {
  const counts = countAll([
    visitOf({ userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" }),
    visitOf({ userAgent: "curl/8.5.0" }),
    visitOf({ userAgent: "" }),
  ]);
  assert.equal(counts.sums.botRequests, 3);
  assert.equal(counts.sums.visitors.estimate(), 0);
  assert.deepEqual(valuesOf(counts, "paths"), []);
  assert.deepEqual(
    new Set(valuesOf(counts, "bots").map(([value]) => value)),
    new Set(["-", "Google", "curl"]),
  );
  assert.deepEqual(valuesOf(counts, "statuses"), [["200", 3]]);
});

test("no address is in what is handed over", () => {
  const counts = countAll([visitOf({ address: "203.0.113.77" }), visitOf({ address: "2001:db8::77" })]);
  const text = JSON.stringify([
    counts,
    counts.sums.encode(),
    [...counts.tops.values()].map((top) => top.encode()),
  ]);
  assert.doesNotMatch(text, /203\.0\.113|2001:db8|cb00714d/i);
});

test("a visitor of another site, day, network or agent has another hash, and of the same /64 has not", () => {
  const hashOf = (salt: number, changes: object) =>
    new VisitorHash(Buffer.alloc(32, salt)).of({
      projectId: "site",
      address: { family: 6, high: 1, low: 2 },
      userAgent: firefox,
      ...changes,
    });
  const hashes = [
    hashOf(1, {}),
    hashOf(1, { projectId: "other" }),
    hashOf(2, {}),
    hashOf(1, { userAgent: "other" }),
    hashOf(1, { address: { family: 6, high: 1, low: 3 } }),
  ];
  assert.equal(new Set(hashes).size, hashes.length);
  assert.equal(hashOf(1, {}), hashes[0]);
});

test("the hash of a visitor is HMAC-SHA-256", () => {
  const salt = Buffer.from("0123456789abcdef0123456789abcdef");
  const expected = createHmac("sha256", salt)
    .update(`site\n${(3_221_225_985).toString(36)}\n${firefox}`)
    .digest();
  const visitor = {
    projectId: "site",
    address: { family: 4, value: 3_221_225_985 } as const,
    userAgent: firefox,
  };
  const hash = new VisitorHash(salt);
  assert.equal(hash.of({ ...visitor, userAgent: "longer".repeat(50) }) === expected.readInt32LE(0), false);
  assert.equal(hash.of(visitor), expected.readInt32LE(0));
});

test("each quarter of an hour has its own counts, in any order of the clock", () => {
  const { counter } = counterOf();
  for (const minutes of [0, 16, 3, -120, 17]) counter.count(visitOf({ at: at + minutes * 60_000 }));
  const windows = counter
    .take()
    .map((counts) => [new Date(counts.at * 1000).toISOString().slice(11, 16), counts.sums.requests]);
  assert.deepEqual(windows, [
    ["10:15", 2],
    ["10:30", 2],
    ["08:15", 1],
  ]);
  assert.deepEqual(counter.take(), []);
});

test("a million paths, agents of a megabyte and broken lines cost a bounded memory", () => {
  const { counter } = counterOf();
  for (let index = 0; index < 200_000; index++) {
    counter.count(
      visitOf({
        path: `/${index}\n${"x".repeat(200)}`,
        referrer: `https://host-${index}.example/`,
        userAgent: `agent ${index}\r\n${"y".repeat(300)}`,
        address: `10.0.${index % 250}.${index % 199}`,
        bytes: index % 3 === 0 ? Number.NaN : 1,
        durationMs: -index,
      }),
    );
  }
  counter.count(
    visitOf({ userAgent: "z".repeat(2 ** 20), path: "/".repeat(2 ** 20), address: "a".repeat(2 ** 20) }),
  );
  const [counts] = counter.take();
  assert.ok(counts !== undefined);
  assert.equal(counts.sums.requests, 200_001);
  for (const top of counts.tops.values()) {
    for (const { value } of top.list(100)) {
      assert.ok(value.length <= 128);
      assert.doesNotMatch(value, /[\x00-\x1f]/);
    }
  }
  assert.ok(counts.sizeBytes() < 256 * 1024, `${counts.sizeBytes()} bytes`);
});

test("a site gets no more than a hundred new agents parsed before it is handed over", () => {
  const { counter } = counterOf();
  for (let index = 0; index < 1_000; index++)
    counter.count(visitOf({ userAgent: firefox.replaceAll("142.0", `${index}.0`) }));
  const [counts] = counter.take();
  assert.ok(counts !== undefined);
  assert.deepEqual(valuesOf(counts, "browsers"), [
    ["other", 900],
    ["Firefox", 100],
  ]);
});

test("beyond the memory the sites that were idle longest are handed over early, and nothing is lost", () => {
  const { counter, early } = counterOf({ maxBytes: 1_000_000 });
  for (let index = 0; index < 10_000; index++)
    counter.count(visitOf({ projectId: `site ${index}`, at: at + index }));
  const sites = new Set(early.map(({ projectId }) => projectId));
  assert.ok(sites.has("site 0") && !sites.has("site 9999"));
  const all = [...early, ...counter.take()];
  assert.equal(
    all.reduce((sum, { sums }) => sum + sums.requests, 0),
    10_000,
  );
});
