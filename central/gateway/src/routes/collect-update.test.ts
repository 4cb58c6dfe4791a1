import assert from "node:assert/strict";
import { test } from "node:test";
import type { RoutesUpdate, SiteRoute } from "@tijolo/protocol";
import { hashOf, UpdateCollector } from "./collect-update.ts";

const central = { key: "k".repeat(43), pages: { host: "127.0.0.1", port: 8084 }, api: null };
const routeOf = (hostname: string): SiteRoute => ({
  hostname,
  projectId: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
  near: null,
  redirectTo: null,
  isOwnDomain: false,
  hasHsts: true,
  isCompressed: true,
});
const setOf = (...names: string[]) => new Map(names.map((name) => [name, routeOf(name)]));
const update = (change: Partial<RoutesUpdate>): RoutesUpdate => ({
  revision: 1,
  part: 0,
  isFull: false,
  upserts: [],
  deletes: [],
  setHash: null,
  central,
  ...change,
});

test("an update takes effect as a whole, with its last part", () => {
  const collector = new UpdateCollector(setOf("old.example", "kept.example"));
  assert.equal(collector.take(update({ upserts: [routeOf("a.example")], deletes: ["old.example"] })), null);
  const setHash = hashOf(setOf("kept.example", "a.example", "b.example"));
  const set = collector.take(update({ part: 1, upserts: [routeOf("b.example")], setHash }));
  assert.deepEqual([...(set?.routes.keys() ?? [])], ["kept.example", "a.example", "b.example"]);
});

test("a full update leaves nothing of what was there", () => {
  const collector = new UpdateCollector(setOf("old.example"));
  const setHash = hashOf(setOf("a.example"));
  const set = collector.take(update({ isFull: true, upserts: [routeOf("a.example")], setHash }));
  assert.deepEqual([...(set?.routes.keys() ?? [])], ["a.example"]);
});

test("a missing part, and a set that central does not mean, are refused", () => {
  const collector = new UpdateCollector(new Map());
  assert.throws(() => collector.take(update({ part: 2 })), /part of the routes is missing/);
  assert.throws(
    () => collector.take(update({ setHash: "0".repeat(63) + "1" })),
    /not those that central means/,
  );
});
