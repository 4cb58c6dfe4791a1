import assert from "node:assert/strict";
import { test } from "node:test";
import { contains, numberOfAddress, overlaps, parseNetwork, textOfNetwork } from "./ipv4-network.ts";

function network(text: string) {
  const parsed = parseNetwork(text);
  assert.ok(parsed, text);
  return parsed;
}

test("a network is read and written, and what is none is refused", () => {
  for (const text of ["10.200.0.0/13", "10.200.8.0/21", "0.0.0.0/0", "255.255.255.255/32"])
    assert.equal(textOfNetwork(network(text)), text);
  const wrong = ["", "10.200.0.0", "10.200.0.1/21", "10.300.0.0/16", "10.0.0.0/33", "10.0.0.0/8/8", "::/8"];
  for (const text of [...wrong, "010.0.0.0/8", "10.0.0.0/-1"])
    assert.equal(parseNetwork(text), undefined, text);
  assert.equal(numberOfAddress("10.0.0.1"), 10 * 2 ** 24 + 1);
  assert.equal(numberOfAddress("10.0.0.1 "), undefined);
});

test("networks overlap where one lies in the other, and not beside each other", () => {
  const [one, inside, beside] = [
    network("10.200.0.0/20"),
    network("10.200.8.0/21"),
    network("10.200.16.0/20"),
  ];
  assert.ok(overlaps(one, inside) && overlaps(inside, one) && overlaps(one, one));
  assert.ok(!overlaps(one, beside) && !overlaps(beside, inside));
  assert.ok(contains(one, inside) && contains(one, one));
  assert.ok(!contains(inside, one) && !contains(one, beside));
});
