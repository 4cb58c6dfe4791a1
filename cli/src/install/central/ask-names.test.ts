import assert from "node:assert/strict";
import { test } from "node:test";
import { loadMessages } from "../../messages.ts";
import { askNames } from "./ask-names.ts";

async function answer(
  lines: (string | null)[],
  environment: Record<string, string> = {},
): Promise<{ found: Readonly<Record<string, string | undefined>>; asked: string[]; said: string[] }> {
  const { install: texts } = await loadMessages("en");
  const [asked, said]: [string[], string[]] = [[], []];
  const found = await askNames(environment, {
    texts,
    say: (sentence) => said.push(sentence),
    ask: async (question) => {
      asked.push(question);
      assert.ok(lines.length > 0, `not expected: ${question}`);
      return lines.shift() ?? null;
    },
  });
  assert.deepEqual(lines, [], "all that was typed is taken");
  return { found, asked, said };
}

test("the names, and who signs, become settings, and the person hears which records are needed", async () => {
  const { found, said } = await answer(["Sites.Exemplo.dev.", "painel.exemplo.dev", ""]);
  assert.deepEqual(found, {
    TIJOLO_SITE_DOMAIN: "sites.exemplo.dev",
    TIJOLO_PANEL_URL: "https://painel.exemplo.dev",
    TIJOLO_ACME_DIRECTORIES: "letsencrypt",
  });
  assert.match(said.join("\n"), /painel\.exemplo\.dev, sites\.exemplo\.dev, \*\.sites\.exemplo\.dev/);
});

test("an empty line asks for nothing more, and the end of the input ends all", async () => {
  const { found, said } = await answer([""], { TIJOLO_LOG_LEVEL: "warn" });
  assert.deepEqual([found, said], [{ TIJOLO_LOG_LEVEL: "warn" }, []]);
  const { install: texts } = await loadMessages("en");
  for (const lines of [[null], ["sites.dev", null], ["sites.dev", "", null]])
    await assert.rejects(answer(lines), new Error(texts.nothingDone));
});

test("only yes, or an empty line, accepts the terms of an authority", async () => {
  for (const line of ["", "s", "Sim", "y", "YES"])
    assert.equal(
      (await answer(["sites.dev", "", line])).found["TIJOLO_ACME_DIRECTORIES"],
      "letsencrypt",
      line,
    );
  const { found, asked } = await answer(["sites.dev", "", "q", "sites", "No"]);
  assert.deepEqual([found["TIJOLO_ACME_DIRECTORIES"], asked.length], [undefined, 5]);
});

test("what the environment says is not asked", async () => {
  assert.deepEqual((await answer([], { TIJOLO_SITE_DOMAIN: "a.dev" })).asked, []);
  const given = {
    TIJOLO_PANEL_URL: "https://p.sites.dev",
    TIJOLO_ACME_DIRECTORIES: "https://ca.dev/directory",
  };
  const { found, said } = await answer(["sites.dev", "x.dev"], given);
  assert.deepEqual(found, { ...given, TIJOLO_SITE_DOMAIN: "x.dev" });
  assert.match(said.join("\n"), /cannot be below[^]*p\.sites\.dev, x\.dev, \*\.x\.dev/);
});

test("a name that cannot be had is said, and asked again", async () => {
  for (const wrong of [
    "sites",
    "a b.dev",
    "-a.dev",
    "10.0.0.1",
    "https://sites.dev",
    `${"a".repeat(64)}.dev`,
    "[::1]",
  ]) {
    const { found, said } = await answer([wrong, "sites.dev", "x.sites.dev", "sites.dev", "", "n"]);
    assert.deepEqual(found, { TIJOLO_SITE_DOMAIN: "sites.dev" }, wrong);
    assert.match(said[0] ?? "", /is not a domain name/, wrong);
    assert.match(said[1] ?? "", /cannot be below/);
  }
});

test("a name in another script is written in ASCII", async () => {
  const { found } = await answer(["pão.dev", "", "não"]);
  assert.deepEqual(found, { TIJOLO_SITE_DOMAIN: "xn--po-sia.dev" });
});
