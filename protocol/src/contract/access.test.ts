import assert from "node:assert/strict";
import { test } from "node:test";
import { scopes, scopesOfLevel } from "./access.ts";

const words = (text: string) => text.trim().split(/\s+/);

const read =
  words(`projects:read logs:read metrics:read analytics:read versions:read domains:read databases:read templates:read
  notices:read`);
const write = [...read, ...words("projects:deploy projects:control variables:read variables:write")];
const oneByOne =
  words(`projects:settings files:read files:write backups:read backups:write versions:rollback domains:write databases:write
  databases:credentials blob:read blob:write templates:deploy notices:write account:read activity:read`);

test("a level has the scopes that it is described with; all others are granted one by one", () => {
  assert.deepEqual(scopesOfLevel, { read, write });
  assert.deepEqual(scopes, [...write, ...oneByOne]);
});
