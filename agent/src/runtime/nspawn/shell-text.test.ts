import assert from "node:assert/strict";
import { test } from "node:test";
import { exec } from "../../host/exec.ts";
import { environmentScript } from "./shell-text.ts";

test("a shell reads back exactly what was written, and runs none of it", async () => {
  const hostile = [
    "plain",
    "it's",
    '"x"',
    "$(id)",
    "`id`",
    "a\nb",
    "\\",
    "-n",
    "*",
    "!",
    "é ü",
    "'; exit 9; '",
    "",
  ];
  const environment = Object.fromEntries(hostile.map((value, index) => [`V${index}`, value]));
  const script = environmentScript(environment, "echo 'a' && $HOME\nsecond");
  const names = Object.keys(environment).map((name) => `"$${name}"`);
  const { stdout } = await exec(["dash", "-c", `${script}\nprintf '%s\\0' ${names.join(" ")} "$1"`]);
  assert.deepEqual(stdout.split("\0").slice(0, -1), [...hostile, "echo 'a' && $HOME\nsecond"]);
});

test("names that are no names, and NUL bytes, are refused", () => {
  for (const name of ["", "1A", "A B", "A=B", "A;id", "A\nB", "é"])
    assert.throws(() => environmentScript({ [name]: "x" }, "true"), /not a name/);
  assert.throws(() => environmentScript({ A: "x\0y" }, "true"), /NUL/);
  assert.throws(() => environmentScript({}, "tr\0ue"), /NUL/);
});
