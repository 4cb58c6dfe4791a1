import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError } from "@tijolo/protocol";
import { readHostname } from "./hostname.ts";

const ownNames = ["sites.tijolo.dev", "painel.tijolo.dev"];

test("names come as A-labels, however they were typed", () => {
  const read = (text: string) => readHostname(text, { ownNames });
  assert.equal(read("WWW.Café.com.br.").hostname, "www.xn--caf-dma.com.br");
  assert.equal(read("faß.de").hostname, "xn--fa-hia.de", "UTS 46, nontransitional");
  assert.equal(read("ｌｏｊａ.com。br").hostname, "loja.com.br", "wide letters and dots");
  assert.deepEqual(read("loja.com.br"), {
    hostname: "loja.com.br",
    isWildcard: false,
    base: "loja.com.br",
    isApex: true,
  });
  assert.equal(read("www.loja.com.br").isApex, false);
  const wildcard = read("*.loja.com.br");
  assert.deepEqual([wildcard.hostname, wildcard.isWildcard], ["*.loja.com.br", true]);
});

const refused: [text: string, reason: string][] = [
  ["127.0.0.1", "ip_address"],
  ["0x7f.1", "ip_address"],
  ["[::1]", "ip_address"],
  ["::1", "ip_address"],
  ["loja", "one_label"],
  ["com.br", "public_suffix"],
  ["github.io", "public_suffix"],
  ["*.com.br", "public_suffix"],
  [`${"a".repeat(60)}.`.repeat(4) + "a".repeat(10) + ".com", "too_long"],
  ["loja.localhost", "special_use"],
  ["www.example.com", "special_use"],
  ["1.0.10.in-addr.arpa", "special_use"],
  ["sites.tijolo.dev", "own_name"],
  ["a.b.sites.tijolo.dev", "own_name"],
  ["painel.tijolo.dev", "own_name"],
  ["http://loja.com.br", "malformed"],
  ["loja.com.br:443", "malformed"],
  ["loja..com.br", "malformed"],
  ["-loja.com.br", "malformed"],
  ["_dmarc.loja.com.br", "malformed"],
  ["www.*.loja.com.br", "malformed"],
  ["*.*.loja.com.br", "malformed"],
  ["loja.com.br\nx", "malformed"],
  ["loja\u202e.com.br", "malformed"],
  [" ", "malformed"],
];

for (const [text, reason] of refused) {
  test(`${JSON.stringify(text.slice(0, 30))} is refused: ${reason}`, () => {
    assert.throws(
      () => readHostname(text, { ownNames }),
      (error) =>
        error instanceof AppError && error.code === "invalid_domain" && error.extra.reason === reason,
    );
  });
}
