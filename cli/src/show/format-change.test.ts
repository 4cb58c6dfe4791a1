import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { ActivityEntry } from "@tijolo/protocol";
import { formatChange } from "./format-change.ts";
import { loadMessages, type MessageLanguage, type Messages } from "../messages.ts";

let messagesOf: Record<MessageLanguage, Messages>;
before(async () => {
  messagesOf = { pt: await loadMessages("pt"), en: await loadMessages("en") };
});

type Change = Pick<ActivityEntry, "before" | "after">;

test("a change shows what was and what is, in words, with what is empty named", () => {
  for (const [change, pt, en] of [
    [
      {
        before: { installCommand: "npm i", systemPackages: ["git", "curl"] },
        after: { installCommand: null, systemPackages: [] },
      },
      "comando de instalação: npm i → (vazio); pacotes do sistema: git, curl → (vazio)",
      "install command: npm i → (empty); system packages: git, curl → (empty)",
    ],
    [
      { before: { memoryMb: 256, description: "" }, after: { memoryMb: 512, description: "a\nb" } },
      "memória (MB): 256 → 512; descrição: (vazio) → a b",
      "memory (MB): 256 → 512; description: (empty) → a b",
    ],
    [
      { before: { id: "01K", name: "ci", prefix: "svc_ab", level: "write", scopes: [] }, after: null },
      "id: 01K; nome: ci; começo: svc_ab; nível: leitura e escrita",
      "id: 01K; name: ci; begins with: svc_ab; level: read and write",
    ],
    [
      { before: null, after: { added: ["A", "B"], changed: [], removed: ["C"] } },
      "novas: A, B; removidas: C",
      "new: A, B; removed: C",
    ],
    [{ before: null, after: { userAgent: "curl/8" } }, "navegador: curl/8", "browser: curl/8"],
    [
      { before: null, after: { note: "unreadable_variables_forgotten" } },
      "nota: variáveis que não abriam foram esquecidas",
      "note: variables that did not open were forgotten",
    ],
    [{ before: { stopsAt: null }, after: { stopsAt: null, later: 1 } }, "later: 1", "later: 1"],
    [{ before: null, after: null }, "", ""],
  ] satisfies [Change, string, string][]) {
    assert.deepEqual([formatChange(change, messagesOf.pt), formatChange(change, messagesOf.en)], [pt, en]);
  }
});

test("times are of this computer, as in the rest of the list", () => {
  const change: Change = { before: { stopsAt: null }, after: { stopsAt: "2026-01-31T12:00:00.000Z" } };
  assert.match(
    formatChange(change, messagesOf.pt),
    /^os projetos param em: \(vazio\) → \d\d\/\d\d\/2026, \d\d:\d\d:00$/,
  );
});
