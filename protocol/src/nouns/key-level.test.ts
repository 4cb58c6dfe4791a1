/** A key's level follows from its scopes, whatever it was asked for with. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { levelOfScopes, scopes, scopesOfLevel, type Scope } from "../contract/access.ts";
import { operations } from "../contract/operations.ts";

/** Scopes with which something can be changed: by the table of operations, and by their name. */
const changing = new Set<Scope>(scopes.filter((scope) => !scope.endsWith(":read")));
for (const { access, effect } of Object.values(operations))
  if (access.kind === "key" && effect === "change") changing.add(access.scope);

test("of all sets of scopes, those with one that changes something are not of level read, and all others are", () => {
  const sets = fc.subarray([...scopes]);
  fc.assert(
    fc.property(sets, (granted) => {
      assert.equal(levelOfScopes(granted), granted.some((scope) => changing.has(scope)) ? "write" : "read");
    }),
    { numRuns: 5_000 },
  );
  for (const scope of scopes)
    assert.equal(levelOfScopes([...scopesOfLevel.read, scope]), changing.has(scope) ? "write" : "read");
});

test("the preset of each level has that level", () => {
  for (const level of ["read", "write"] as const) assert.equal(levelOfScopes(scopesOfLevel[level]), level);
});
