/**
 * Tests static sites that are built on the host: what of a build is served, how, and what is never reached.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { DeployedProject, type Upload } from "../support/projects/deployed-project.ts";
import { ensureImage } from "../support/images/kept-images.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";

const patient = 300_000;
let cluster: RealCluster;
let account: TestAccount;
before(async () => {
  await ensureImage("node", "24");
  cluster = await RealCluster.create();
  account = await cluster.createAccount({ scopes: ["projects:settings"] });
});
after(() => cluster[Symbol.asyncDispose]());

const page = `<script type="module" src="/assets/index-DiwrgTda.js"></script>`;
/** Script that writes what Vite writes, and links to files of the container and of the host. */
const build = `
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
rmSync("dist", { recursive: true, force: true });
mkdirSync("dist/assets", { recursive: true });
writeFileSync("dist/index.html", ${JSON.stringify(page)});
writeFileSync("dist/assets/index-DiwrgTda.js", "console.log(" + JSON.stringify(process.env.VITE_TITLE) + ");".repeat(3000) + "\\n");
symlinkSync("/etc/passwd", "dist/passwd.txt");
symlinkSync("/", "dist/root");
symlinkSync("../package.json", "dist/package.txt");
console.log("built with Node " + process.version);
`;

function viteSite(subdomain: string, { files = {}, config = {} }: Upload = {}): Upload {
  return {
    files: {
      "index.html": "<p>source</p>",
      "package.json": JSON.stringify({ name: "site", scripts: { build: "node build.mjs" } }),
      "build.mjs": build,
      "public/icon.svg": "<svg/>",
      ...files,
    },
    config: { language: "static", subdomain, ...config },
  };
}

test("a site with a build script is built, served from its folder, compressed, and nothing runs after it", async () => {
  const project = await DeployedProject.create(
    account.client,
    viteSite("vite", { config: { root: "dist" } }),
  );
  const { memoryMb, version, command, root } = await project.is("running", patient);
  assert.deepEqual([memoryMb, version, command, root], [64, "", "", "dist"]);
  const log = await installText(project);
  for (const words of ["$ npm install", "$ npm run build", "built with Node v24."])
    assert.ok(log.includes(words), log);

  const home = await visit("vite", "/");
  assert.deepEqual(
    [home.status, home.bytes.toString(), home.headers["cache-control"]],
    [200, page, "no-cache"],
  );
  const script = await visit("vite", "/assets/index-DiwrgTda.js", { "accept-encoding": "gzip, br" });
  assert.deepEqual(
    [script.headers["content-encoding"], script.headers.vary, script.headers["cache-control"]],
    ["br", "accept-encoding", "public, max-age=31536000, immutable"],
  );
  assert.match(brotliDecompressSync(script.bytes).toString(), /^console\.log\(undefined\)/);
  for (const path of [
    "/passwd.txt",
    "/root/etc/passwd",
    "/package.txt",
    "/build.mjs",
    "/icon.svg",
    "/svc.json",
  ]) {
    const answer = await visit("vite", path);
    assert.equal(answer.status, 404, path);
    assert.doesNotMatch(answer.bytes.toString(), /root:|scripts/, path);
  }
  const host = cluster.hosts[0];
  assert.ok(host);
  const versions = join(host.dataDirectory, "projects", project.id, "versions");
  assert.deepEqual(readdirSync(join(versions, "1")).sort(), ["code", "compressed", "site"]);
  assert.equal((await project.get()).usage?.memoryMb, 0);
  await account.client.stopProject({ id: project.id });
});

test("without a named folder the build's own is found; variables reach the build; an app of one page answers its addresses", async () => {
  const project = await DeployedProject.create(account.client, { ...viteSite("spa"), start: false });
  await project.is("stopped", patient);
  assert.match(await installText(project), /O site é a pasta dist/);
  const { client } = account;
  await client.setVariables({ id: project.id, body: { variables: { VITE_TITLE: "Loja" } } });
  await project.upload(viteSite("spa", { files: { "public/other.svg": "<svg/>" } }));
  await project.is("stopped", patient);
  await client.startProject({ id: project.id });
  await project.is("running", patient);
  const script = await visit("spa", "/assets/index-DiwrgTda.js");
  assert.match(script.bytes.toString(), /^console\.log\("Loja"\)/);
  assert.equal((await visit("spa", "/login", { accept: "text/html" })).status, 404);
  const { isRestartRequired } = await client.updateProject({ id: project.id, body: { spa: true } });
  assert.equal(isRestartRequired, true);
  await client.restartProject({ id: project.id });
  await project.when(async () => (await visit("spa", "/login", { accept: "text/html" })).status === 200, {
    timeoutMs: patient,
  });
  assert.equal((await visit("spa", "/login", { accept: "text/html" })).bytes.toString(), page);
  assert.equal((await visit("spa", "/assets/gone-DiwrgTdb.js", { accept: "*/*" })).status, 404);
});

test("the owner's command builds over an uploaded folder, and what it removed or made anew is so", async () => {
  const installCommand =
    "rm dist/old.html && rm -r dist/anew && mkdir dist/anew && echo new > dist/anew/new.txt && echo built > dist/index.html";
  const files = {
    "dist/index.html": "uploaded",
    "dist/old.html": "old",
    "dist/stays.html": "stays",
    "dist/anew/old.txt": "old",
  };
  const project = await DeployedProject.create(account.client, {
    files,
    config: { language: "static", root: "dist", subdomain: "over", installCommand },
  });
  await project.is("running", patient);
  assert.equal((await project.get()).installCommand, installCommand);
  for (const [path, status, text] of [
    ["/", 200, "built\n"],
    ["/stays", 200, "stays"],
    ["/anew/new.txt", 200, "new\n"],
    ["/old.html", 404, undefined],
    ["/anew/old.txt", 404, undefined],
  ] as const) {
    const answer = await visit("over", path);
    assert.equal(answer.status, status, path);
    if (text !== undefined) assert.equal(answer.bytes.toString(), text);
  }
});

test("a build that fails, or makes no site, says so", async () => {
  const failing = viteSite("failing", { files: { "build.mjs": `import "vite";` }, config: { root: "dist" } });
  const elsewhere = viteSite("elsewhere", { config: { root: "public/site" } });
  const nothing = viteSite("nothing", { files: { "build.mjs": "" } });
  delete nothing.files?.["index.html"];
  for (const [upload, says] of [
    [failing, /Código de saída: 1\. .*Falta o módulo vite/],
    [elsewhere, /O build terminou, mas não criou a pasta public\/site \(root\)/],
    [nothing, /não criou nenhuma destas pastas com um index\.html: dist, build, out, public/],
  ] as const) {
    const project = await DeployedProject.create(account.client, upload);
    const { error } = await project.is("error", patient);
    assert.equal(error?.code, "install_failed");
    assert.match(error.message, says);
    assert.match(await installText(project), says.source.startsWith("Código") ? /Falta o módulo vite/ : says);
  }
});

async function installText(project: DeployedProject): Promise<string> {
  return (await project.lines({ section: "install" })).map(({ text }) => text).join("\n");
}

async function visit(
  subdomain: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: IncomingMessage["headers"]; bytes: Buffer }> {
  const sent = request({
    host: "127.0.0.1",
    port: cluster.gatewayPort,
    path,
    headers: { host: `${subdomain}.localhost:${cluster.gatewayPort}`, ...headers },
    signal: AbortSignal.timeout(20_000),
  });
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, bytes: await buffer(response) };
}
