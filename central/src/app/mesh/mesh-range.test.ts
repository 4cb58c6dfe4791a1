import assert from "node:assert/strict";
import { test } from "node:test";
import { parseNetwork, textOfNetwork } from "./ipv4-network.ts";
import { firstFree } from "./mesh-range.ts";

function network(text: string) {
  const parsed = parseNetwork(text);
  assert.ok(parsed, text);
  return parsed;
}

function free(cluster: string, ...taken: string[]): string | undefined {
  const found = firstFree(network(cluster), taken.map(network));
  return found && textOfNetwork(found);
}

test("the first range that overlaps none is free", () => {
  assert.equal(free("10.200.0.0/13"), "10.200.0.0/21");
  assert.equal(free("10.200.0.0/13", "10.200.0.0/21", "10.200.16.0/21"), "10.200.8.0/21");
  assert.equal(free("10.200.0.0/13", "10.200.0.0/20"), "10.200.16.0/21");
  assert.equal(free("10.200.0.0/13", "10.200.3.0/30"), "10.200.8.0/21");
  assert.equal(free("10.200.0.0/13", "10.208.0.0/16", "10.199.0.0/16"), "10.200.0.0/21");
});

test("a network of /20 has two ranges, then none", () => {
  assert.equal(free("10.0.0.0/20", "10.0.0.0/21"), "10.0.8.0/21");
  assert.equal(free("10.0.0.0/20", "10.0.0.0/21", "10.0.8.0/21"), undefined);
});

test("the default network has 256 ranges", () => {
  const taken: string[] = [];
  for (let next = free("10.200.0.0/13"); next !== undefined; next = free("10.200.0.0/13", ...taken))
    taken.push(next);
  assert.equal(new Set(taken).size, 256);
  assert.equal(taken.at(-1), "10.207.248.0/21");
});
