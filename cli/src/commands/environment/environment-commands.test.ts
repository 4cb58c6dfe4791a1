import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createRunner, projectId } from "../../../../test/support/commands/command-runner.ts";

test("an empty input sets nothing and says how an empty value is meant", async () => {
  await using runner = await createRunner();
  for (const input of ["", "\n"]) {
    for (const words of ["TOK", "TOK=-", "TOK --from-stdin", `${projectId} TOK`]) {
      runner.input = input;
      const { code, stderr } = await runner.run(["env", "set", ...words.split(" ")]);
      assert.equal(code, 2, words);
      assert.match(stderr, /entrada está vazia.*TOK=valor.*Para um valor vazio: TOK=\n/);
    }
  }
  assert.equal(runner.requests.length, 0);
  const { stdout } = await runner.run(["env", "set", "--help"]);
  assert.match(stdout, /NOME sozinho/);
  assert.match(stdout, /tijolo env set TOKEN {2}/);
});

test("a file with lines that cannot be read is refused with their numbers and no values, before anything is sent", async () => {
  await using runner = await createRunner();
  await writeFile(
    join(runner.folder, ".env"),
    '# tokens\n\nA=1\nbad line\nB=\'x\ny\'\nC="x" y\nTOK="s3cret\n',
  );
  const { code, stdout, stderr } = await runner.run(["env", "push", "-p", projectId]);
  assert.deepEqual([code, stdout, runner.requests.length], [1, "", 0]);
  assert.deepEqual(stderr.trimEnd().split("\n").slice(1), [
    "  linha 4: não tem a forma NOME=valor",
    "  linha 7: há texto depois das aspas que fecham o valor",
    "  linha 8: as aspas não fecham",
  ]);
  assert.doesNotMatch(stderr, /s3cret|bad/);
  await writeFile(join(runner.folder, ".env"), "x\n".repeat(30));
  assert.match(
    (await runner.run(["env", "push", "-p", projectId], "en")).stderr,
    /line 5: .*\n {2}and 25 more\n$/,
  );
});
