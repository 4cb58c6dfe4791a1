import assert from "node:assert/strict";
import { test } from "node:test";
import { securedNames, shownNames } from "./certificate-names.ts";

test("of two certificates for a name the later one is shown, and each still for its other names", () => {
  const shown = shownNames([
    { id: "A", names: ["*.example.com", "example.com"] },
    { id: "B", names: ["example.com", "www.example.com"] },
  ]);
  assert.deepEqual(
    [...shown],
    [
      ["A", ["*.example.com"]],
      ["B", ["example.com", "www.example.com"]],
    ],
  );
});

test("addresses and what is no name of a route are left out", () => {
  const names = ["127.0.0.1", "::1", "localhost", "a b", "x\ny", "*.*.com"];
  assert.deepEqual([...shownNames([{ id: "A", names }])], [["A", ["localhost"]]]);
  assert.deepEqual([...shownNames([{ id: "A", names: ["127.0.0.1"] }])], []);
});

test("names of this machine are not sent to HTTPS", () => {
  const shown = shownNames([
    { id: "A", names: ["localhost", "shop.localhost"] },
    { id: "B", names: ["*.example.com"] },
  ]);
  assert.deepEqual(securedNames(shown), ["*.example.com"]);
});
