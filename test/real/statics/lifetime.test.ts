/**
 * The server of static sites through deploys, deaths and restarts: visits never notice a deploy, nginx outlives
 * the agent, has no right on the machine, and leaves nothing.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, readlink, rm } from "node:fs/promises";
import { Agent, request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { findNginx } from "../../../agent/src/statics/find-nginx.ts";
import { nginxId } from "../../../agent/src/statics/nginx-process.ts";
import { projectIdOf } from "../../gateway/haproxy-fixture.ts";
import { until } from "../../support/until.ts";
import { testCache } from "../support/images/kept-images.ts";
import { StaticHost } from "../support/statics/static-host.ts";

const page = (text: string) => ({ "index.html": `<p>${text.repeat(400)}`, "same.txt": "same" });

test("twenty deploys under load fail no visit, and each visit gets one version", async () => {
  await using host = await StaticHost.create();
  await host.serve("shop", await host.version("v0", page("0")));
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const answers: { status: number; body: string }[] = [];
  let isOver = false;
  const visits = Array.from({ length: 8 }, async (_, index) => {
    while (!isOver) {
      const headers = {
        "x-tijolo-site": projectIdOf("shop"),
        "accept-encoding": index % 2 ? "br" : "identity",
      };
      const sent = request({ host: host.address, port: 80, agent, headers });
      sent.end();
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      let body = "";
      for await (const chunk of response.setEncoding("latin1")) body += String(chunk);
      answers.push({ status: response.statusCode ?? 0, body });
    }
  });
  for (let version = 1; version <= 20; version++) {
    const digit = String.fromCodePoint(65 + version);
    await host.serve("shop", await host.version(`v${version}`, page(digit)));
    assert.match((await host.get("shop")).body, new RegExp(`^<p>${digit}{400}$`), "it is there at once");
  }
  isOver = true;
  await Promise.all(visits);
  agent.destroy();
  assert.ok(answers.length > 100, String(answers.length));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  const plain = answers.map(({ body }) => body).filter((body) => body.startsWith("<p>"));
  assert.ok(plain.every((body) => /^<p>(.)\1{399}$/.test(body)));
  assert.ok(new Set(plain).size > 5, "many versions were seen");
});

test("nginx outlives the agent, is adopted, and has no right and no file of the machine", async () => {
  await using host = await StaticHost.create();
  await host.serve("one", await host.version("one", page("1")));
  const { pid } = host.sites;
  assert.ok(pid !== undefined);
  await host.sites[Symbol.asyncDispose]();
  assert.equal((await host.get("one")).status, 200, "without an agent");
  await host.open();
  assert.equal(host.sites.pid, pid);
  assert.deepEqual(host.sites.addressOf(projectIdOf("one")), { address: host.address, port: 80 });
  assert.equal((await host.get("one", "/same.txt")).body, "same");
  const pids = await host.cgroups.pids("statics");
  assert.ok(pids.length >= 2 && pids.includes(pid));
  for (const each of pids) {
    const status = await readFile(`/proc/${each}/status`, "utf8");
    const valueOf = (key: string) => new RegExp(`^${key}:[\\t ]*(.*)$`, "m").exec(status)?.[1]?.trim();
    for (const key of ["Uid", "Gid"]) assert.equal(valueOf(key), Array(4).fill(nginxId).join("\t"));
    for (const key of ["CapEff", "CapPrm", "CapInh", "CapBnd", "CapAmb"])
      assert.equal(valueOf(key), "0".repeat(16), key);
    assert.deepEqual([valueOf("NoNewPrivs"), valueOf("Groups")], ["1", ""]);
    const names = ["left", "nginx.conf", "nginx.pid", "none", "sites", "tree", "trees"];
    assert.deepEqual((await readdir(`/proc/${each}/root`)).toSorted(), names);
    const mounts = (await readFile(`/proc/${each}/mountinfo`, "utf8")).trim().split("\n");
    for (const mount of mounts) {
      const [, , , , point = "", options = ""] = mount.split(" ");
      assert.match(point, /^\/(?:trees\/.*\/(?:files|compressed))?$/);
      if (point !== "/") assert.match(options, /\bro\b.*\bnosuid\b.*\bnodev\b.*\bnoexec\b/);
    }
    assert.notEqual(await readlink(`/proc/${each}/ns/net`), await readlink("/proc/self/ns/net"));
  }
});

test("a machine without nginx gets one of Debian's packages", async () => {
  await using host = await StaticHost.create();
  const toolsDirectory = join(testCache, "tools");
  const findFetched = () => findNginx({ toolsDirectory, program: "no-such-nginx", onFetch: () => {} });
  await host.open({ findNginx: findFetched });
  await host.serve("one", await host.version("one", page("1")));
  assert.equal((await host.get("one", "/same.txt")).body, "same");
  assert.deepEqual(
    await readdir(`/proc/${host.sites.pid}/root/tree`),
    [],
    "its packages are taken away, too",
  );
});

test("an nginx that was killed, wholly or in part, is started again with all its sites", async () => {
  await using host = await StaticHost.create();
  for (const name of ["one", "two"]) await host.serve(name, await host.version(name, page(name)));
  const isServed = async () =>
    (await host.get("two", "/same.txt").catch(() => undefined))?.body === "same" &&
    (await host.get("one", "/same.txt").catch(() => undefined))?.body === "same";
  const workers = await host.cgroups.pids("statics");
  const worker = workers.find((each) => each !== host.sites.pid);
  assert.ok(worker !== undefined);
  process.kill(worker, "SIGKILL");
  await until(isServed);
  const { pid } = host.sites;
  assert.ok(pid !== undefined);
  process.kill(pid, "SIGKILL");
  await until(() => host.sites.pid !== undefined && host.sites.pid !== pid);
  await until(isServed);
  const left = await host.cgroups.pids("statics");
  assert.ok(!left.some((each) => workers.includes(each)), "no worker of the one before is left");
});

test("a withdrawn site is gone at once, and nothing holds its files", async () => {
  await using host = await StaticHost.create();
  const site = await host.version("one", page("1"));
  await host.serve("one", site);
  await host.serve("two", await host.version("two", page("2")));
  const projectId = projectIdOf("one");
  await host.sites.release(projectId);
  assert.equal((await host.get("one")).status, 503, "while its disk is unmounted");
  assert.equal(host.sites.addressOf(projectId), undefined);
  await host.sites.restore(projectId);
  assert.equal((await host.get("one")).status, 200);
  await host.sites.withdraw(projectId);
  assert.equal((await host.get("one")).status, 503);
  const mounts = await readFile(`/proc/${host.sites.pid}/mountinfo`, "utf8");
  assert.ok(!mounts.includes(projectId) && mounts.includes(projectIdOf("two")));
  await host.sites.reconcile([projectId]);
  assert.equal((await host.get("two")).status, 503, "a project that is not here");
  assert.equal(host.sites.isInUse, false);
});

test("files that are made anew under the same path are served, not those that were there", async () => {
  await using host = await StaticHost.create();
  const site = await host.version("one", page("1"));
  await host.serve("one", site);
  await rm(join(site.files, ".."), { recursive: true });
  await host.serve("one", await host.version("one", page("2")));
  assert.match((await host.get("one")).body, /^<p>2{400}$/);
  await rm(join(site.files, ".."), { recursive: true });
  await host.sites.serve(projectIdOf("one"), site);
  assert.deepEqual(host.warnings, ["the files of a static site cannot be served by nginx"]);
});

test("an agent that is killed at any moment leaves nothing that the next one does not take over or end", async () => {
  await using host = await StaticHost.create();
  const site = await host.version("one", page("1"));
  await host.sites[Symbol.asyncDispose]();
  const program = `const { StaticHost } = await import(${JSON.stringify(join(import.meta.dirname, "../support/statics/static-host.ts"))});
    await StaticHost.serveForever(${JSON.stringify(host.handOver())}, ${JSON.stringify(site)});`;
  for (const ms of [20, 60, 100, 140, 180, 250, 400]) {
    const agent = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(agent, "exit");
    await once(agent.stdout, "data");
    await delay(ms);
    agent.kill("SIGKILL");
    await ended;
  }
  await host.open();
  await host.serve("one", site);
  assert.equal((await host.get("one", "/same.txt")).body, "same");
  const pids = await host.cgroups.pids("");
  // Known by its parent: what it calls itself is cut in /proc where its own loader has started it.
  const masters = [];
  for (const pid of pids) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    const parent = /^PPid:\s*(\d+)$/m.exec(status)?.[1];
    if (parent !== undefined && !pids.includes(Number(parent))) masters.push(pid);
  }
  assert.deepEqual(masters, [host.sites.pid], "one nginx serves");
});
