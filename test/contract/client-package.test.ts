/**
 * Tests the client as a user gets it: packed, installed into an empty project, type-checked strictly there,
 * and run against a cluster.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { packClient } from "../../protocol/client/pack-client.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { zipOf } from "../support/archives/zip-of.ts";

const root = join(import.meta.dirname, "..", "..");
const dependencies = ["eventsource-parser", "zod"];

const sample = `
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, createClient, type LogEvent, type Project } from "@tijolo/client";

const { BASE_URL = "", SVC_KEY = "" } = process.env;
const tijolo = createClient({ baseUrl: BASE_URL, token: SVC_KEY });
const file = new Blob([await readFile("bot.zip")]);
const { project } = await tijolo.createProject({ fields: { name: "amostra", start: "true" }, file });
const created: Project = project;

for await (const event of tijolo.streamLogs({ id: created.id })) {
  const seen: LogEvent = event;
  if (seen.event === "log" && seen.data.text === "hello") break;
}
// That it is up comes by another way than its log.
while ((await tijolo.getProject({ id: created.id })).project.status !== "running") await sleep(100);
const { isRestartRequired } = await tijolo.updateProject({ id: created.id, body: { memoryMb: 512 } });
const { variables } = await tijolo.setVariables({ id: created.id, body: { variables: { TOKEN: "x" } } });
const page = await tijolo.streamLogs.page({ id: created.id, query: { lines: 10 } });
await tijolo.stopProject({ id: created.id });

// @ts-expect-error memory is a number
const wrongType = () => tijolo.updateProject({ id: created.id, body: { memoryMb: "512" } });
// @ts-expect-error there is no such operation
const wrongName = () => tijolo.explodeProject({ id: created.id });
// @ts-expect-error the id is missing
const missing = () => tijolo.getProject({});
void [wrongType, wrongName, missing];

let refusal = "";
try {
  await tijolo.getProject({ id: "0".repeat(26) });
} catch (error) {
  if (error instanceof ApiError) refusal = error.code;
}
console.log(JSON.stringify({ isRestartRequired, names: Object.keys(variables), lines: page.lines.length, refusal }));
`;

const tsconfig = {
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    types: ["node"],
    outDir: "out",
  },
  files: ["sample.ts"],
};

test("the packed client installs, type-checks and works", { timeout: 240_000 }, async () => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-sample-"));
  try {
    const tarball = await packClient(directory);
    const project = join(directory, "project");
    await mkdir(project);
    await writeFile(
      join(project, "package.json"),
      JSON.stringify({ name: "sample", private: true, type: "module" }),
    );
    await writeFile(join(project, "sample.ts"), sample);
    await writeFile(join(project, "tsconfig.json"), JSON.stringify(tsconfig));
    // Its two dependencies, and the types of Node, from this repository: a test needs no registry.
    const local = [
      ...dependencies.map((name) => packageDirectory(name, join(root, "protocol"))),
      packageDirectory("@types/node", root),
    ];
    await run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball, ...local], project);
    const installed = JSON.parse(
      await readFile(join(project, "node_modules/@tijolo/client/package.json"), "utf8"),
    ) as object;
    assert.deepEqual(Object.keys((installed as { dependencies: object }).dependencies), dependencies);

    await run(join(root, "node_modules/.bin/tsc"), ["--project", project], project);
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount({ scopes: ["projects:settings"] });
    const svcJson = { language: "node", command: "sim print hello; run", installCommand: "" };
    await writeFile(
      join(project, "bot.zip"),
      await zipOf({ "svc.json": JSON.stringify(svcJson), "index.js": "" }),
    );
    const output = await run(process.execPath, ["out/sample.js"], project, {
      BASE_URL: `${cluster.centralUrl}/api`,
      SVC_KEY: account.key,
    });
    const { lines, ...rest } = JSON.parse(output) as { lines: number };
    assert.deepEqual(rest, { isRestartRequired: true, names: ["TOKEN"], refusal: "not_found" });
    assert.ok(lines > 0);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

test("the package's version and dependencies are those of the protocol", async () => {
  const read = async (path: string) => JSON.parse(await readFile(join(root, path), "utf8")) as Manifest;
  const client = await read("protocol/client/package.json");
  const protocol = await read("protocol/package.json");
  assert.equal(client.version, protocol.version);
  assert.deepEqual(
    Object.entries(client.dependencies),
    dependencies.map((name) => [name, protocol.dependencies[name]]),
  );
});

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
}

/** Returns where a package is that `from` depends on. */
function packageDirectory(name: string, from: string): string {
  return dirname(createRequire(join(from, "package.json")).resolve(`${name}/package.json`));
}

async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, said]: [string[], string[]] = [[], []];
  child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => said.push(text));
  const [code] = (await once(child, "close")) as [number | null];
  assert.equal(code, 0, `${command} ${args.join(" ")}:\n${out.join("")}${said.join("")}`);
  return out.join("");
}
