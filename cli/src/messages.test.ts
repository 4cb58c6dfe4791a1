import assert from "node:assert/strict";
import { before, test } from "node:test";
import { errorCodes } from "@tijolo/protocol";
import { cliTexts } from "@tijolo/protocol/texts/cli";
import { chooseLanguage } from "./message-language.ts";
import { loadMessages, type MessageLanguage, type Messages } from "./messages.ts";

let messagesOf: Record<MessageLanguage, Messages>;
before(async () => {
  messagesOf = { pt: await loadMessages("pt"), en: await loadMessages("en") };
});

/** Every text with the path of names that leads to it; functions are called with samples. */
function* texts(node: unknown, path = ""): Generator<[string, string]> {
  if (typeof node === "string") yield [path, node];
  else if (path === ".start.summary") return;
  else if (typeof node === "function") yield [path, String(node("7", "8"))];
  else if (typeof node === "object" && node !== null)
    for (const [name, child] of Object.entries(node)) yield* texts(child, `${path}.${name}`);
}

test("both languages say the same things, none of them empty", () => {
  const pt = new Map(texts(messagesOf.pt));
  const en = new Map(texts(messagesOf.en));
  assert.deepEqual([...en.keys()], [...pt.keys()]);
  for (const [path, text] of [...pt, ...en]) assert.notEqual(text.trim(), "", path);
});

test("texts that take a value show it in both languages", () => {
  for (const language of [messagesOf.pt, messagesOf.en]) {
    for (const [path, text] of texts({ errors: language.errors, usage: language.usage })) {
      const takesValue = path
        .split(".")
        .slice(1)
        .reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], language);
      if (typeof takesValue === "function") assert.match(text, /7/, path);
    }
  }
});

test("hints belong to errors that exist", () => {
  for (const code of Object.keys(messagesOf.pt.hints))
    assert.ok((errorCodes as string[]).includes(code), code);
});

test("Portuguese is spoken unless somebody asks for English", () => {
  assert.equal(chooseLanguage(undefined, {}), "pt");
  assert.equal(chooseLanguage(undefined, { LANG: "C.UTF-8" }), "pt");
  assert.equal(chooseLanguage(undefined, { LANG: "en_US.UTF-8" }), "en");
  assert.equal(chooseLanguage("pt", { LANG: "en_US.UTF-8" }), "pt");
  assert.equal(chooseLanguage("en", {}), "en");
  assert.equal(chooseLanguage("de", { TIJOLO_LANG: "en" }), "en");
  assert.equal(chooseLanguage(undefined, { TIJOLO_LANG: "xx", LANG: "en_US.UTF-8" }), "en");
});

test("no two areas name the same command or option", async () => {
  const areas = Object.values(await cliTexts.pt()).filter((area) => "commands" in area);
  for (const kind of ["commands", "options"] as const) {
    const names = areas.flatMap((area) => Object.keys(area[kind]));
    assert.deepEqual(names, [...new Set(names)]);
  }
});

test("one layer is told in the singular", () => {
  const removed = (count: number) =>
    [messagesOf.pt, messagesOf.en].map(({ image }) => image.removed("a", count, "1 MB"));
  assert.deepEqual(removed(1), ["a: 1 camada removida, 1 MB liberados", "a: 1 layer removed, 1 MB freed"]);
  assert.deepEqual(removed(2), ["a: 2 camadas removidas, 1 MB liberados", "a: 2 layers removed, 1 MB freed"]);
});
