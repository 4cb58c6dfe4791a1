import assert from "node:assert/strict";
import { test } from "node:test";
import { longQuotation, quotation, quote, quoteLong } from "./quotation.ts";

test("a quotation is as long as central takes at most, and no character of it is cut in two", () => {
  const cases: [(text: string) => string, typeof quotation, number][] = [
    [quote, quotation, 80],
    [quoteLong, longQuotation, 400],
  ];
  for (const [cut, schema, length] of cases) {
    assert.equal(cut("x".repeat(length)), "x".repeat(length));
    assert.equal(cut("x".repeat(length + 1)), `${"x".repeat(length)}…`);
    assert.equal(cut("😀".repeat(length)), `${"😀".repeat(length / 2)}…`);
    assert.equal(cut(`x${"😀".repeat(length)}`), `x${"😀".repeat(length / 2 - 1)}…`);
    assert.equal(schema.parse(cut("x".repeat(9_999))), cut("x".repeat(9_999)));
    assert.ok(!schema.safeParse("x".repeat(length + 2)).success);
  }
});
