/**
 * The service's own PHP server, as sites of all kinds need it: one with a front controller, one with scripts
 * in folders.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { until } from "../../support/until.ts";
import { DeployedProject, nodeProgram, type Upload } from "../support/projects/deployed-project.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";
import { visit } from "../support/projects/visit.ts";

const told = `<?php
if (str_starts_with($_SERVER['REQUEST_URI'], '/slow')) { error_log('slow ?' . $_SERVER['QUERY_STRING']); echo 'begun '; flush(); sleep(3); echo 'ended'; exit; }
if ($_SERVER['REQUEST_URI'] === '/warn') { error_log('a word for the log'); throw new RuntimeException('it broke'); }
header('Content-Type: application/json');
echo json_encode(['script' => __FILE__, 'uri' => $_SERVER['REQUEST_URI'], 'name' => $_SERVER['SCRIPT_NAME'],
  'info' => $_SERVER['PATH_INFO'] ?? null, 'query' => $_GET, 'method' => $_SERVER['REQUEST_METHOD'], 'post' => $_POST,
  'body' => strlen(file_get_contents('php://input')), 'pid' => getmypid(),
  'address' => $_SERVER['REMOTE_ADDR'], 'https' => $_SERVER['HTTPS'] ?? null, 'variable' => $_ENV['WORD'] ?? null]);`;

/** Port 80 is no reason to fail. */
const framework: Upload = {
  files: {
    "public/index.php": told,
    "public/logo.svg": "<svg/>",
    "public/.htaccess": "private",
    "public/.env": "private",
    ".env": "private",
  },
  config: { language: "php", type: "site", subdomain: "framework", port: 80 },
};
/** Upload like a CMS that is unpacked where it stands. */
const folders: Upload = {
  files: {
    "index.php": told,
    "admin/index.php": told,
    "about.html": "about",
    "composer.json": `{"require": {}}`,
    "uploads/picture.jpg": "<?php echo 'run';",
    "php.ini": "memory_limit = 77M\n",
    "memory.php": "<?php echo ini_get('memory_limit'), ' ', ini_get('expose_php');",
  },
  config: {
    language: "php",
    type: "site",
    subdomain: "folders",
    installCommand: "mkdir -p vendor/a; echo '<?php echo 1;' > vendor/a/run.php",
  },
};

let cluster: RealCluster;
let account: TestAccount;
let site: DeployedProject;
let cms: DeployedProject;
before(async () => {
  cluster = await RealCluster.create();
  account = await cluster.createAccount();
  [site, cms] = (await Promise.all(
    [framework, folders].map((upload) => DeployedProject.create(account.client, upload)),
  )) as [DeployedProject, DeployedProject];
  for (const [project, subdomain] of [
    [site, "framework"],
    [cms, "folders"],
  ] as const) {
    await project.is("running", 300_000);
    await until(async () => (await visit(cluster.gatewayPort, subdomain)).status === 200, {
      timeoutMs: 120_000,
      everyMs: 50,
    });
  }
});
after(() => cluster[Symbol.asyncDispose]());

const get = (subdomain: string, path: string) => visit(cluster.gatewayPort, subdomain, path);
const toldBy = async (subdomain: string, path: string) => JSON.parse((await get(subdomain, path)).text);

test("what is no file goes to the front controller, with the address as it was asked for", async () => {
  const { script, uri, name, query } = await toldBy("framework", "/blog/2026?page=2");
  assert.deepEqual(
    [script, uri, name, query],
    ["/app/public/index.php", "/blog/2026?page=2", "/index.php", { page: "2" }],
  );
  const { uri: plain, info, name: own } = await toldBy("framework", "/index.php/more/parts");
  assert.deepEqual([plain, own, info], ["/index.php/more/parts", "/index.php", "/more/parts"]);
  assert.deepEqual(await get("framework", "/logo.svg"), { status: 200, text: "<svg/>" });
});

test("folders have their own index, and what is no page is not there", async () => {
  assert.equal((await toldBy("folders", "/admin/")).script, "/app/admin/index.php");
  assert.equal((await toldBy("folders", "/nowhere/")).script, "/app/index.php");
  assert.equal((await get("folders", "/about.html")).text, "about");
  const picture = await get("folders", "/uploads/picture.jpg/x.php");
  assert.notEqual(picture.text, "run", "a picture is not run");
  for (const path of ["/svc.json", "/composer.json", "/vendor/a/run.php", "/php.ini"])
    assert.equal((await get("folders", path)).status, 404, path);
  for (const path of ["/.env", "/.htaccess", "/../.env", "/%2e%2e/.env", "/%2eenv"]) {
    const { text: body } = await get("framework", path);
    assert.ok(!body.includes("private"), path);
  }
});

test("a script knows the visitor's address, and whether the page was asked for by https", async () => {
  const { address, https } = await toldBy("framework", "/");
  assert.deepEqual([address, https], ["127.0.0.1", null]);
  const { internalHost } = await site.get();
  const asGateway = `{ headers: { "x-forwarded-for": "192.0.2.7", "x-forwarded-proto": "https" } }`;
  const source = `fetch("http://${internalHost}:80/", ${asGateway}).then((answer) => answer.json()).then((told) => console.log("told", told.address, told.https));`;
  const bot = await DeployedProject.create(account.client, nodeProgram(source));
  assert.equal(await bot.prints("told"), "told 192.0.2.7 on");
});

test("a form and a large body arrive, and the owner's php.ini counts", async () => {
  const sent = await visit(cluster.gatewayPort, "framework", "/send", "x".repeat(3_000_000));
  const { method, body } = JSON.parse(sent.text);
  assert.deepEqual([method, body], ["POST", 3_000_000]);
  assert.equal((await get("folders", "/memory.php")).text, "77M ");
});

test("visitors are answered beside each other", async () => {
  const slow = get("framework", "/slow");
  const answers = await Promise.all(Array.from({ length: 40 }, () => toldBy("framework", "/")));
  assert.ok(new Set(answers.map(({ pid }) => pid)).size > 1, "by several processes");
  assert.equal((await slow).text, "begun ended");
});

test("a failure is in the project's log, and not on the page", async () => {
  const { status, text: page } = await get("framework", "/warn");
  assert.equal(status, 500);
  assert.ok(!page.includes("it broke"));
  await site.prints("a word for the log");
  await site.prints("Uncaught RuntimeException: it broke");
});

test("who is being answered when the site is stopped gets the whole answer", async () => {
  const slow = get("framework", "/slow?last");
  await site.prints("slow ?last");
  await account.client.stopProject({ id: site.id });
  assert.equal((await slow).text, "begun ended");
  await site.is("stopped");
  const exit = (await site.lines({ section: "app" })).findLast(({ text: line }) =>
    line.includes("terminou com código"),
  );
  assert.match(exit?.text ?? "", /código 0 /);
  await account.client.startProject({ id: site.id });
  await until(async () => (await get("framework", "/")).status === 200, { timeoutMs: 60_000, everyMs: 50 });
});
