/**
 * Measures what counting a visit costs the gateway: processor time per request, memory at a thousand active
 * sites, and what it takes to store what they count in ten seconds.
 */

import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Countries } from "../../central/src/pages-server/visits/countries.ts";
import { VisitCounter } from "../../central/src/pages-server/visits/visit-counter.ts";
import type { Visit } from "../../central/src/pages-server/visits/visit.ts";
import { VisitorHash } from "../../central/src/pages-server/visits/visitor-hash.ts";
import { addVisits } from "../../central/src/store/metrics/visit.ts";
import { openMetrics } from "../../central/src/store/sqlite/open-metrics.ts";
import { retainedMb } from "../support/machine/retained-memory.ts";
import type { Bench, Figure } from "./bench.ts";
import { interleave, Sample } from "./sample.ts";

const sites = 1_000;
/** Requests of all sites between two takings, which is 20,000 a second. */
const requests = 200_000;
const aimMicroseconds = 10;
const aimMb = 64;
const browsers = [
  "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
];
/** Ranges of the tables of countries, as many as tor-geoipdb has. */
const ranges = { geoip: 386_000, geoip6: 277_000 };

export const visits: Bench = {
  name: "visits",
  async run({ say, resources }): Promise<Figure[]> {
    const directory = await mkdtemp(join(tmpdir(), "tijolo-bench-visits-"));
    resources.defer(() => rm(directory, { recursive: true }));
    say("making tables of countries");
    await writeTables(directory);
    const before = await retainedMb();
    const countries = new Countries();
    await countries.load(directory);
    const countriesMb = (await retainedMb()) - before;
    const { counter, early } = counterWith(countries);

    say(`counting ${requests} requests to ${sites} sites`);
    const usual = requestsOf((index) => ({ path: `/pages/${index % 40}?id=${index}` }));
    const { counting, bare } = await interleave(
      {
        counting: async () => {
          const tookUs = processorTimeOf(() => usual.forEach((visit) => counter.count(visit))) / requests;
          counter.take();
          return tookUs;
        },
        bare: async () => {
          const counts = new Map<string, number>();
          return (
            processorTimeOf(() => {
              for (const { projectId, path } of usual) {
                const key = `${projectId} ${path}`;
                counts.set(key, (counts.get(key) ?? 0) + 1);
              }
            }) / requests
          );
        },
      },
      { rounds: 5, warmUps: 2 },
    );

    const heldMb = async (list: readonly Visit[]) => {
      counter.take();
      const empty = await retainedMb();
      for (const visit of list) counter.count(visit);
      early.length = 0;
      return (await retainedMb()) - empty;
    };
    const usualMb = await heldMb(usual);
    say("counting paths, referrers and agents that are all different");
    const worstMb = await heldMb(
      requestsOf((index) => ({
        path: `/${index}/${"x".repeat(120)}`,
        referrer: `https://host-${index}.example/`,
        userAgent: `${browsers[0]} ${index}`,
      })),
    );
    early.length = 0;

    say("storing what was counted");
    counter.take();
    for (const visit of usual) counter.count(visit);
    const taken = counter.take();
    const opened = resources.use(await openMetrics(join(directory, "metrics.sqlite")));
    const storing: number[] = [];
    for (let round = 0; round < 4; round++) {
      const before = process.cpuUsage();
      await addVisits(opened.metrics, taken);
      const { user, system } = process.cpuUsage(before);
      storing.push((user + system) / 1000);
    }
    const [first = 0, ...again] = storing;
    return [
      {
        title: "Counting one request, of 20,000 a second to 1,000 sites",
        unit: "µs of processor",
        rows: [
          { name: "counted in all dimensions", sample: counting },
          { name: "a bare Map of site and address, without visitors", sample: bare },
        ],
        aim: {
          of: "counted",
          value: counting.median,
          unit: "µs",
          limit: aimMicroseconds,
          isReachedBy: "at most",
        },
      },
      {
        title: "Memory at 1,000 active sites",
        unit: "MB",
        rows: [
          { name: "counts of ten seconds", sample: new Sample([usualMb]) },
          { name: "counts and agents when all values differ", sample: new Sample([worstMb]) },
          { name: "tables of countries", sample: new Sample([countriesMb]) },
        ],
        aim: {
          of: "the most of these together",
          value: Math.max(usualMb, worstMb) + countriesMb,
          unit: "MB",
          limit: aimMb,
          isReachedBy: "at most",
        },
      },
      {
        title: "Storing ten seconds of 1,000 sites",
        unit: "ms of processor",
        rows: [
          { name: "the first of an hour", sample: new Sample([first]) },
          { name: "merged into what is there", sample: new Sample(again) },
        ],
        aim: null,
      },
    ];
  },
};

function counterWith(countries: Countries) {
  const hash = new VisitorHash(randomBytes(32));
  const early: unknown[] = [];
  const onEarly = (counts: readonly unknown[]) => void early.push(...counts);
  return { counter: new VisitCounter({ visitors: () => hash, countries, onEarly }), early };
}

/** Returns requests in no order of their sites, which differ in what `changes` says. */
function requestsOf(changes: (index: number) => Partial<Visit>): Visit[] {
  const now = Date.now();
  return Array.from({ length: requests }, (_, index) => ({
    projectId: `01KAJ3W8M5T9Q2R7V4X6Z0${String((index * 7_919) % sites).padStart(4, "0")}`,
    at: now,
    method: index % 10 === 0 ? "POST" : "GET",
    host: "site.example",
    status: index % 20 === 0 ? 404 : 200,
    bytes: 5_000,
    durationMs: index % 300,
    address: `${index % 223}.${(index >> 3) % 256}.${(index >> 5) % 256}.${index % 256}`,
    userAgent: browsers[index % browsers.length] ?? "",
    referrer: index % 3 === 0 ? "https://www.google.com/" : "",
    path: "/",
    ...changes(index),
  }));
}

function processorTimeOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Writes tables of even ranges, as long as the real ones. */
async function writeTables(directory: string): Promise<void> {
  const widthOf4 = Math.floor(2 ** 32 / ranges.geoip);
  const lines4 = Array.from(
    { length: ranges.geoip },
    (_, index) => `${index * widthOf4},${(index + 1) * widthOf4 - 1},BR`,
  );
  await writeFile(join(directory, "geoip"), lines4.join("\n"));
  const lines6 = Array.from({ length: ranges.geoip6 }, (_, index) => {
    const high = (0x20010000 + index * 16).toString(16);
    const network = `${high.slice(0, 4)}:${high.slice(4)}`;
    return `${network}::,${network}:ffff:ffff:ffff:ffff:ffff:ffff,PT`;
  });
  await writeFile(join(directory, "geoip6"), lines6.join("\n"));
}
