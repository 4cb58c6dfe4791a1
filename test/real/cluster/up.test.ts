/** Tests that `tijolo up` says what became of real programs, when it is known and not before. */

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { CommandLine } from "../../support/commands/command-line.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";

let cluster: RealCluster;
before(async () => {
  cluster = await RealCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

/** Sets up a computer with a key, in a folder with this program. */
async function atFolder(source: string, config: object = {}): Promise<CommandLine> {
  const account = await cluster.createAccount({ plan: "Empresas" });
  const line = await CommandLine.create();
  line.environment = { TIJOLO_URL: cluster.operator.centralUrl, TIJOLO_KEY: account.key };
  await writeFile(join(line.folder, "index.js"), source);
  await writeFile(
    join(line.folder, "svc.json"),
    JSON.stringify({ language: "node", entry: "index.js", ...config }),
  );
  return line;
}

test("a first version that crashes at once ends with 1 and its lines, and never says that it is up", async () => {
  await using line = await atFolder("", {
    entry: "",
    command: "echo before the end; echo no token >&2; exit 1",
  });
  const { code, stdout, stderr } = await line.run(["up"]);
  assert.equal(code, 1, stderr);
  assert.match(stdout, /não subiu: caiu 2 vezes[^]*Últimas linhas:[^]* before the end\n[^]* no token\n/);
  assert.doesNotMatch(stdout + stderr, /está no ar/);
});

test("a site is up once it listens, and not before", async () => {
  const server = `require("http").createServer((_, response) => response.end("hello")).listen(process.env.PORT, () => console.log("listens"))`;
  await using line = await atFolder(`setTimeout(() => ${server}, 3000);`, { type: "site" });
  const { code, stdout, stderr } = await line.run(["up"]);
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /está no ar/);
  assert.match(stderr, /listens/);
});

test("an update that crashes at once ends with 1, its lines, and the version that is still up", async () => {
  await using line = await atFolder(`console.log("one"); setInterval(() => {}, 1000);`);
  const first = await line.run(["up"]);
  assert.equal(first.code, 0, first.stdout + first.stderr);
  assert.match(first.stderr, / one$/m);
  await writeFile(join(line.folder, "index.js"), `console.log("two"); process.exit(3);`);
  const second = await line.run(["up"]);
  assert.equal(second.code, 1, second.stderr);
  assert.match(
    second.stdout,
    /A versão 2 não subiu[^]*A versão 1 continua no ar[^]*Últimas linhas:[^]* two$/m,
  );
  assert.doesNotMatch(second.stderr, / one$/m);
});
