/**
 * Tests what a project can find out about another account's project on its host, with all the files that it
 * can read.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { internalHostOf } from "@tijolo/protocol";
import { DeployedProject, nodeProgram } from "../support/projects/deployed-project.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";

/**
 * Each needle is spelled backwards, so that the program does not find it in its own text. Prints where which
 * one is found.
 */
const search = `const { readdirSync, openSync, readSync, closeSync, lstatSync, constants } = require("node:fs");
  const [roots, ...backwards] = JSON.parse(Buffer.from(process.argv[2], "base64"));
  const needles = backwards.map((text) => [...text].reverse().join(""));
  const patterns = needles.map((needle) => new RegExp("(?<![\\w.-])" + needle.replaceAll(".", "\\.") + "(?!\\w|\\.\\d)"));
  const needleNames = ["id", "name", "address", "path"];
  const buffer = Buffer.alloc(1 << 20);
  const found = new Set();
  let looked = 0;
  function look(path) {
    let file;
    try {
      file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      // The kernel hands over its own files in pieces.
      let size = 0;
      for (let count = -1; count !== 0; size += count) count = readSync(file, buffer, size, buffer.length - size, null);
      looked++;
      const text = buffer.latin1Slice(0, size);
      patterns.forEach((pattern, index) => { if (pattern.test(text)) found.add(needleNames[index] + " in " + path); });
    } catch {} finally { if (file !== undefined) closeSync(file); }
  }
  function walk(path) {
    needles.forEach((needle, index) => { if (path.includes(needle)) found.add(needleNames[index] + " named by " + path); });
    let stats;
    try { stats = lstatSync(path); } catch { return; }
    if (stats.isFile()) return look(path);
    if (!stats.isDirectory()) return;
    let names = [];
    try { names = readdirSync(path); } catch {}
    for (const name of names) walk(path.replace(/\\/$/, "") + "/" + name);
  }
  roots.forEach(walk);
  console.log("found " + JSON.stringify([...found]));
  console.log("looked at " + looked);
  if (process.argv[3] === "stay") setInterval(() => {}, 1000);`;

const argumentOf = (roots: readonly string[], needles: readonly string[]) =>
  Buffer.from(
    JSON.stringify([roots, ...needles.map((text) => text.split("").toReversed().join(""))]),
  ).toString("base64");

const foundIn = (output: readonly string[]): string[] => {
  const line = output.find((each) => each.startsWith("found "));
  assert.ok(line !== undefined, output.join("\n"));
  return JSON.parse(line.slice("found ".length));
};

test("no file that a project or its install step can read holds another project's id, name, address or path", async () => {
  await using cluster = await RealCluster.create();
  const [one, other] = [await cluster.createAccount(), await cluster.createAccount()];
  const tellAddress = `console.log("address " + Object.values(require("node:os").networkInterfaces()).flat().find(({ family, internal }) => family === "IPv4" && !internal).address);`;
  const victim = await DeployedProject.create(
    one.client,
    nodeProgram(`${tellAddress} setInterval(() => {}, 1000)`),
  );
  const address = (await victim.prints("address ")).slice("address ".length);
  const needles = [
    victim.id,
    internalHostOf(victim.id),
    address,
    cluster.host.dataDirectory + `/projects/${victim.id}`,
  ];

  const roots = ["/sys/devices/virtual/block", "/proc/self/net", "/proc/self/mountinfo"];
  const outside = foundIn(
    execFileSync(process.execPath, ["-", argumentOf(roots, needles)], {
      input: search,
      encoding: "utf8",
    }).split("\n"),
  );
  for (const expected of [/^id in .*\/backing_file$/, /^path in /, /^address in .*\/fib_trie$/]) {
    assert.ok(
      outside.some((line) => expected.test(line)),
      `the search does not find ${expected} on the host: ${outside.join("\n")}`,
    );
  }

  const command = (last: string) => `node search.js ${argumentOf(["/"], needles)} ${last}`;
  const attacker = await DeployedProject.create(other.client, {
    files: { "search.js": search, "package.json": "{}" },
    config: { language: "node", version: "24", command: command("stay"), installCommand: command("once") },
  });
  await attacker.prints("looked at ", 180_000);
  for (const section of ["app", "install"] as const) {
    const output = (await attacker.lines({ section })).map(({ text }) => text);
    assert.deepEqual(foundIn(output), [], section);
    const [, looked] = /^looked at (\d+)$/m.exec(output.join("\n")) ?? [];
    assert.ok(Number(looked) > 1000, `only ${looked} files were looked at in the ${section}`);
  }
});
