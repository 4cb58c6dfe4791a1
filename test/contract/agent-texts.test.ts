/** An agent sends codes: what a person reads is written in `protocol/src/texts`, in every language. */

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

const agent = join(import.meta.dirname, "..", "..", "agent", "src");

/** Letters of Portuguese, and words of it that need none of these letters. */
const portuguese =
  /[áéíóúâêôãõàç]|\b(?:arquivos?|comando|confira|disco|envie|instala\w*|instale|nada|porta|preparando|processo|projetos?|servidor|terminou)\b/i;

test("no file of the agent holds a sentence in Portuguese", async () => {
  for (const text of ["Nada a instalar.", "O servidor foi reiniciado.", "código 1", "Preparando o node"])
    assert.match(text, portuguese);
  const names = (await readdir(agent, { recursive: true })).filter((name) =>
    /(?<!\.test)\.(?:ts|sh|pl|lua)$/.test(name),
  );
  assert.ok(names.length > 200, `${names.length} files`);
  const found: string[] = [];
  for (const name of names) {
    const lines = (await readFile(join(agent, name), "utf8")).split("\n");
    lines.forEach(
      (line, index) => portuguese.test(line) && found.push(`${name}:${index + 1} ${line.trim()}`),
    );
  }
  assert.deepEqual(found, []);
});
