/** Tests that each visit which HAProxy carries is counted once, whatever is in its fields. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { CarriedVisit, CarriedVisits } from "@tijolo/protocol";
import { VisitRing, type RingPositions } from "../../central/gateway/src/visits/visit-ring.ts";
import { until } from "../support/until.ts";
import { HaproxyFixture, projectIdOf } from "./haproxy-fixture.ts";
import { haproxyOf } from "../support/machine/haproxy.ts";

const logger = { warn() {} };

test("a visit is reported once, also to a program that comes later, and its fields forge no other", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  await fixture.app("shop", (_, response) => response.writeHead(201).end("program"));
  const odd = 'x" , "project":"01ARZ3NDEKTSV4RRFFQ69G5FAV\\';
  await fixture.get("shop", "/before?q=1", {
    headers: { "user-agent": odd, referer: "http://other.example/" },
  });
  const reported: CarriedVisit[] = [];
  let isAway = true;
  let attempts = 0;
  let positions: RingPositions = {};
  const report = async ({ visits }: CarriedVisits) => {
    attempts += 1;
    if (isAway) throw new Error("central is away");
    reported.push(...visits);
  };
  const savePositions = async (saved: RingPositions) => void (positions = saved);
  const socketPath = join(fixture.directory, "run", "api");
  {
    await using _ring = new VisitRing({ socketPath, report, savePositions, logger }, positions);
    await until(() => attempts > 0);
    isAway = false;
    await until(() => reported.length === 1);
  }
  const [visit] = reported;
  assert.deepEqual(
    { ...visit, at: 0, durationMs: 0, bytes: 0 },
    {
      projectId: projectIdOf("shop"),
      at: 0,
      method: "GET",
      path: "/before?q=1",
      host: "shop.localhost",
      status: 201,
      bytes: 0,
      durationMs: 0,
      address: "127.0.0.1",
      userAgent: odd,
      referrer: "http://other.example/",
    },
  );
  assert.ok(Math.abs((visit?.at ?? 0) - Date.now()) < 60_000 && (visit?.bytes ?? 0) > 7);
  await fixture.get("shop", "/while-away");
  await fixture.get("nobody", "/not-here");
  await using _ring = new VisitRing({ socketPath, report, savePositions, logger }, positions);
  await until(() => reported.length === 2);
  assert.equal(reported[1]?.path, "/while-away");
});

test("what a HAProxy has carried that another one replaces is reported, and what both carry since", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  const answers: (() => void)[] = [];
  await fixture.app("shop", (request, response) => {
    if (request.url === "/slow") answers.push(() => response.end("late"));
    else response.end("program");
  });
  const paths: string[] = [];
  const report = async ({ visits }: CarriedVisits) => void paths.push(...visits.map(({ path }) => path));
  const socketPath = join(fixture.directory, "run", "api");
  await using ring = new VisitRing({ socketPath, report, savePositions: async () => {}, logger }, {});
  const slow = fixture.get("shop", "/slow");
  await until(() => answers.length === 1);
  await fixture.get("shop", "/before");
  await fixture.haproxy.replace();
  ring.follow();
  await fixture.get("shop", "/after");
  await until(() => paths.length === 2);
  answers[0]?.();
  assert.equal((await slow).body, "late");
  await until(() => paths.length === 3);
  assert.deepEqual(paths.toSorted(), ["/after", "/before", "/slow"]);
});
