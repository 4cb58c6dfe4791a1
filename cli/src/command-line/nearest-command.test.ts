import assert from "node:assert/strict";
import { test } from "node:test";
import { createRunner } from "../../../test/support/commands/command-runner.ts";

test("an unknown command suggests the nearest, word by word, and ends with 2", async () => {
  await using runner = await createRunner();
  for (const [typed, meant] of [
    ["lsit", "tijolo list"],
    ["staus", "tijolo status"],
    ["lgos -f", "tijolo logs"],
    ["env sett A=1", "tijolo env set"],
    ["evn set A=1", "tijolo env set"],
    ["env lst", "tijolo env list"],
    ["cluster acount", "tijolo cluster account"],
    ["clutser acount pln ana Free", "tijolo cluster account plan"],
    ["cluster host lst", "tijolo cluster host list"],
    ["help lsit", "tijolo list"],
    ["lsit --help", "tijolo list"],
    ["keys lst --email a@b.c", "tijolo keys list"],
    ["--email a@b.c keys lst", "tijolo keys list"],
    ["-n 5 lgos", "tijolo logs"],
    ["notices chanels", "tijolo notices channels"],
    ["notices chanels set --mail all", "tijolo notices channels set"],
    ["versions downlod meu-bot 3", "tijolo versions download"],
  ] as const) {
    const inPortuguese = await runner.run(typed.split(" "));
    assert.deepEqual([inPortuguese.code, inPortuguese.stdout], [2, ""], typed);
    assert.ok(
      inPortuguese.stderr.includes(`Você quis dizer: ${meant} ?`),
      `${typed}: ${inPortuguese.stderr}`,
    );
    assert.ok((await runner.run(typed.split(" "), "en")).stderr.includes(`Did you mean: ${meant} ?`), typed);
  }
  assert.equal(runner.requests.length, 0);
});

test("what is near no command suggests none, and says where the help is", async () => {
  await using runner = await createRunner();
  for (const [typed, given, help] of [
    ["frobnicate", "frobnicate", "tijolo --help"],
    ["xy", "xy", "tijolo --help"],
    ["x".repeat(100_000), "xxx", "tijolo --help"],
    ["env frobnicate A=1", "env frobnicate", "tijolo env --help"],
    ["cluster account frobnicate ana", "cluster account frobnicate", "tijolo cluster account --help"],
  ] as const) {
    const { code, stderr } = await runner.run(typed.split(" "));
    assert.equal(code, 2);
    assert.ok(stderr.includes(given) && stderr.includes(`Veja: ${help}`), stderr.slice(0, 200));
  }
});

test("the first words of some commands show those commands", async () => {
  await using runner = await createRunner();
  const { code, stdout } = await runner.run(["env", "--help"]);
  assert.equal(code, 0);
  assert.deepEqual([/env push/.test(stdout), /config get/.test(stdout)], [true, false]);
  assert.equal((await runner.run(["env"])).code, 2);
  const keys = await runner.run(["keys", "--email", "a@b.c"]);
  assert.deepEqual([keys.code, /keys revoke/.test(keys.stdout)], [2, true], keys.stderr);
});
