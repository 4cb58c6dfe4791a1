/** No imports form a circle, and those between the rooms of central's rules lead downwards only. */

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { findCircle, graphOf, graphOfRooms, readSources, upwardImports } from "./import-graph.ts";

const root = join(import.meta.dirname, "..", "..");

/** The rooms of central's rules, lowest first: a room imports only rooms that stand before it. */
const app = {
  folder: "central/src/app",
  rooms: [
    "limits",
    "outbound",
    "secrets",
    "cluster",
    "identity",
    "operators",
    "runs",
    "accounts",
    "people",
    "mesh",
    "hosts",
    "notices",
    "dns",
    "certificates",
    "gateways",
    "metrics",
    "projects",
    "visits",
    "domains",
    "uploads",
    "host-projects",
    "logs",
    "live",
    "images",
    "upkeep",
  ],
  top: "context.ts",
};

const graph = graphOf(readSources(root, ["agent", "central", "cli", "protocol"]));

test("the source files of a package import each other in no circle, types included", () => {
  assert.ok(graph.get("central/src/app/context.ts")?.includes("central/src/app/people/people-context.ts"));
  assert.deepEqual(findCircle(graph), []);
});

test("the rooms of central's rules import only rooms below them", async () => {
  const folders = (await readdir(join(root, app.folder), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  assert.deepEqual(folders.toSorted(), app.rooms.toSorted(), "the order names every room");
  assert.deepEqual(upwardImports(graph, app), []);
});

test("the rooms of the agent import each other in no circle", () => {
  const rooms = graphOfRooms(graph, "agent/src");
  assert.ok(rooms.get("reconcile")?.includes("project"));
  assert.deepEqual(findCircle(rooms), []);
});

test("a circle of rooms is found where no file is in a circle", () => {
  const sources = new Map([
    ["agent/src/agent.ts", 'import { a } from "./one/a.ts";'],
    ["agent/src/one/a.ts", 'import { b } from "../other/b.ts";'],
    ["agent/src/one/c.ts", 'import { Agent } from "../agent.ts";'],
    ["agent/src/other/b.ts", 'import { c } from "../one/c.ts";'],
  ]);
  const found = findCircle(graphOfRooms(graphOf(sources), "agent/src"));
  assert.deepEqual(found.toSorted(), ["one", "other"]);
});

test("a circle is found, whatever leads to it or away from it, and however the imports are written", () => {
  const sources = new Map([
    ["agent/src/main.ts", 'import { a } from "./room/a.ts";'],
    ["agent/src/room/a.ts", 'import {\n  b,\n} from "../b.ts";\nimport { leaf } from "../leaf.ts";'],
    ["agent/src/b.ts", 'export type { C } from "./c.ts";'],
    ["agent/src/c.ts", 'export const a = import("./room/a.ts");'],
    ["agent/src/leaf.ts", 'import { join } from "node:path";'],
  ]);
  assert.deepEqual(
    new Set(findCircle(graphOf(sources))),
    new Set(["agent/src/room/a.ts", "agent/src/b.ts", "agent/src/c.ts"]),
  );
  sources.set("agent/src/c.ts", "");
  assert.deepEqual(findCircle(graphOf(sources)), []);
});

test("an import of a higher room is found, from a room and from a file below all rooms", () => {
  const folder = "app";
  const sources = new Map([
    ["app/clock.ts", 'import type { Low } from "./low/low.ts";'],
    ["app/context.ts", 'import type { High } from "./high/high.ts";'],
    ["app/low/low.ts", 'import type { AppContext } from "../context.ts";\nimport "../clock.ts";'],
    ["app/low/other.ts", 'import { high } from "../high/high.ts";'],
    ["app/high/high.ts", 'import { low } from "../low/low.ts";'],
  ]);
  assert.deepEqual(upwardImports(graphOf(sources), { folder, rooms: ["low", "high"], top: "context.ts" }), [
    "app/clock.ts → app/low/low.ts",
    "app/low/low.ts → app/context.ts",
    "app/low/other.ts → app/high/high.ts",
  ]);
});
