import assert from "node:assert/strict";
import { test } from "node:test";
import { exec } from "../../host/exec.ts";
import { handingOver } from "./handing-over.ts";

const handedOver = [
  ["node index.js", "exec node index.js"],
  ["  npm start", "  exec npm start"],
  [`gunicorn -b "0.0.0.0:$PORT" \${APP:-app}:app`, `exec gunicorn -b "0.0.0.0:$PORT" \${APP:-app}:app`],
  ["python migrate.py && python main.py", "python migrate.py && exec python main.py"],
  ["cd bot; node .\n", "cd bot; exec node .\n"],
  ["A=1 B=x/y node index.js", "A=1 B=x/y exec node index.js"],
  [`node -e 'a(); b() && c'`, `exec node -e 'a(); b() && c'`],
  ["node index.js > log 2>&1", "exec node index.js > log 2>&1"],
  ["export A=1 && node x", "export A=1 && exec node x"],
];

const left = [
  "",
  "cd bot",
  "exec node x",
  "node a & node b",
  "node a | tee log",
  "node a || node b",
  "(node a)",
  "while true; do node a; done",
  "if true; then node a; fi",
  "trap 'exit 3' TERM; sleep 1000",
  "node $(cat file)",
  'node "$(cat file)"',
  "node `cat file`",
  "node x # why",
  "cat << END\nx\nEND",
  "A=1",
  `A="x y" node index.js`,
  "f() { node x; }; f",
  "node 'open",
];

test("a shell makes way for its last command", () => {
  for (const [text = "", expected] of handedOver) assert.equal(handingOver(text), expected);
});

test("what is more than commands one after the other stays as it is", () => {
  for (const text of left) assert.equal(handingOver(text), text);
});

test("it means the same to a shell, and the program has the shell's own process", async () => {
  const run = async (text: string) =>
    (await exec(["dash", "-c", text], { env: { PATH: "/usr/bin:/bin", W: "a  b" } })).stdout;
  for (const text of [
    "printf '%s|' a \"$W\" $W",
    "V=1 env | grep ^V=",
    "echo one; echo two",
    "cd / && pwd -P",
    "true && env printf x",
  ]) {
    assert.equal(await run(handingOver(text)), await run(text), text);
  }
  const isShellGone = `perl -e 'print $$ == $ENV{SHELL_PID} ? "same" : "other"'`;
  assert.equal(await run(handingOver(`export SHELL_PID=$$; ${isShellGone}`)), "same");
});
