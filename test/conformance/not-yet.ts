/**
 * Lists rows of parts that are not built: why, and what shows that they are missing, so that a case is asked
 * for once they are there.
 */

import assert from "node:assert/strict";
import { SpecClient } from "./spec-client.ts";
import type { RowId } from "./spec-rows.ts";
import type { SpecWorld } from "./spec-world.ts";

export interface NotYet {
  row: RowId;
  why: string;
  /** Fails when the part is there. */
  isMissing(world: SpecWorld): Promise<void>;
}

export const notYet: readonly NotYet[] = [
  {
    row: "error.missing_variables",
    why: "no project can be created from a template: there are no templates",
    isMissing: (world) => assertNoRoute(world, "/templates"),
  },
  {
    row: "overview.mcp",
    why: "there is no MCP server",
    isMissing: (world) => assertNoRoute(world, "/mcp"),
  },
];

async function assertNoRoute(world: SpecWorld, path: string): Promise<void> {
  const { client } = await world.account();
  for (const answer of [
    await client.get(path),
    await new SpecClient(client.centralUrl, client.key).post(path),
  ]) {
    assert.equal(answer.status, 404, `${path} answers ${answer.status}: it has a row to be shown`);
  }
}
