import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { plainText, shownText, toPlainText, withPlainTexts } from "./plain-text.ts";

const schema = plainText(200);
const accepts = (text: string) => schema.safeParse(text).success;

test("a text of one line passes, in any script; what steers a terminal or turns the direction does not", () => {
  for (const text of ["", "Debian GNU/Linux 13 (trixie)", "ação 東京 🚀 שלום", "a\u00a0b", "…"])
    assert.ok(accepts(text), text);
  for (const code of [
    0, 9, 10, 13, 27, 0x7f, 0x9b, 0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202e, 0x2066, 0x2069, 0xd800,
    0xdfff,
  ]) {
    assert.ok(!accepts(`a${String.fromCharCode(code)}b`), code.toString(16));
  }
  assert.ok(!accepts("x".repeat(201)));
});

test("every text can be made plain; it keeps its length, and one that is plain stays as it is", () => {
  assert.equal(
    toPlainText("\u001b[31mrot\u001b[0m\r\nfim\u2028\u202e"),
    "\ufffd[31mrot\ufffd[0m  fim \ufffd",
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      const made = toPlainText(text);
      assert.ok(made.length === text.length && (made.length > 200 || accepts(made)));
      if (accepts(text)) assert.equal(made, text);
    }),
  );
});

test("all texts of a message are made plain, and nothing else of it is changed", () => {
  const message = { a: "x\ny", list: [{ b: "\u001b" }, 1, null, true], n: 1.5, none: undefined };
  assert.deepEqual(withPlainTexts(message), {
    a: "x y",
    list: [{ b: "\ufffd" }, 1, null, true],
    n: 1.5,
    none: undefined,
  });
});

test("a text for people is taken whatever its characters are, comes out plain, and ends at its length", () => {
  const shown = shownText(200);
  assert.equal(shown.parse("a\u001b[2J\nb"), "a\ufffd[2J b");
  assert.ok(!shown.safeParse("\n".repeat(201)).success && !shown.safeParse(7).success);
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 100 }), (text) => accepts(shown.parse(text))));
});
