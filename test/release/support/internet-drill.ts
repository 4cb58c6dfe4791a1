/**
 * Installs a cluster as a self-hoster does, step by step, each told with its time: a whole one by one command, a site, its own
 * domain, and the lines for one more gateway and for a machine behind NAT. `internet.test.ts` runs it in namespaces
 * of its own. Arguments: an empty directory, and that of the release.
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { connect as connectPlain } from "node:net";
import { text } from "node:stream/consumers";
import { connect } from "node:tls";
import { until } from "../../support/until.ts";
import type { BootedMachine } from "./booted-machine.ts";
import { SmallInternet } from "./small-internet.ts";
import { secondsSince, step } from "./step.ts";
import { Visitor } from "./visitor.ts";

const siteDomain = "sites.exemplo.dev";
const panelName = "painel.exemplo.dev";
const ownDomain = "www.cliente.dev";
const centralAddress = "20.0.0.10";
const secondAddress = "20.0.0.11";
/** A program with port 80. */
const otherProgram = ["systemd-socket-activate", "--listen=80", "/bin/cat"];
const patient = { timeoutMs: 180_000, everyMs: 50 };

const [directory = "", release = ""] = process.argv.slice(2);
await using internet = await SmallInternet.create(directory);
await drill(internet, release);

/** `folder` holds the release. */
async function drill(internet: SmallInternet, folder: string): Promise<void> {
  const { names, authority } = internet;
  for (const zone of ["exemplo.dev", "cliente.dev"]) names.zone(zone);
  for (const name of [panelName, `loja.${siteDomain}`, `gateway.dominios.${siteDomain}`])
    names.set(name, "A", [centralAddress]);

  const [central, second, home] = await step("three machines boot", () =>
    Promise.all([
      internet.boot("central", { public: centralAddress }),
      internet.boot("second", { public: secondAddress }, "bare"),
      internet.boot("home", { home: "192.168.77.20" }, "bare"),
    ]),
  );
  await using visitor = new Visitor(await authority.issuingRoot(), patient.timeoutMs);

  const installer = await placeRelease(central, folder, authority.roots);
  const settings = {
    TIJOLO_ACME_DIRECTORIES: authority.directoryUrl,
    TIJOLO_ACME_ROOTS_FILE: "/etc/tijolo-acme-roots.pem",
    TIJOLO_GATEWAY_ADDRESSES: centralAddress,
    TIJOLO_HTTP3: "on",
  };
  await step("a port that another program has is named, and nothing is changed", async () => {
    await central.run(["systemd-run", "--quiet", "--unit=other", "--property=Type=exec", ...otherProgram]);
    const refused = await until(async () => {
      const ran = await central.try([installer, "central", "--lang", "en"], settings);
      return ran.code === 1 && ran.stderr.includes("0.0.0.0:80") ? ran : undefined;
    }, patient);
    assert.match(refused.stderr, /Another program has 0\.0\.0\.0:80.*--no-gateway/);
    assert.equal((await central.try(["ls", "/opt/tijolo"])).code, 2);
    await central.run(["systemctl", "stop", "other"]);
  });
  const startedMs = performance.now();
  const runtime = { TIJOLO_RUNTIME: "process" };
  await step("a machine becomes a whole cluster by one command, which asks for its names", async () => {
    const answers = ["sites", siteDomain, `painel.${siteDomain}`, panelName, "y"];
    const { code, shown: printed } = await central.talk(
      [installer, "all", "--lang", "en"],
      { ...settings, ...runtime },
      answers,
    );
    assert.equal(code, 0, printed);
    assert.match(printed, /"sites" is not a domain name[^]*cannot be below/);
    assert.match(printed, /In the DNS[^]*painel\.exemplo\.dev, sites\.exemplo\.dev, \*\.sites\.exemplo\.dev/);
    assert.match(printed, /each site at https:\/\/\*\.sites\.exemplo\.dev\//);
    assert.match(printed, /https:\/\/painel\.exemplo\.dev\/start#token=/);
  });
  await step("the panel answers by HTTPS", async () => {
    const { headers } = await visitor.answers(`https://${panelName}/`, "<script type=");
    assert.match(String(headers["content-security-policy"]), /require-trusted-types-for/);
  });

  const operatorToken = (await central.run(["cat", "/var/lib/tijolo/central/first-operator-token"])).trim();
  const asOperator = { TIJOLO_URL: "http://127.0.0.1:8080", TIJOLO_OPERATOR_TOKEN: operatorToken };
  const hosts = async () =>
    (
      await central.tijolo<{ hosts: { name: string; state: string }[] }>(
        ["cluster", "host", "list"],
        asOperator,
      )
    ).hosts;
  assert.deepEqual(
    (await hosts()).map(({ name, state }) => [name, state]),
    [["central", "connected"]],
  );

  const { account } = await central.tijolo<{ account: { id: string } }>(
    ["cluster", "account", "create", "--name", "Ana", "--plan", "Stack"],
    asOperator,
  );
  const grant = ["--account", account.id, "--scope", "domains:write"];
  const { key } = await central.tijolo<{ key: { key: string } }>(
    ["cluster", "key", "create", ...grant],
    asOperator,
  );
  const asAna = { TIJOLO_URL: "http://127.0.0.1:8080", TIJOLO_KEY: key.key };
  const site = `https://loja.${siteDomain}/`;
  await step("a site is uploaded and answers by HTTPS", async () => {
    await mkdir(central.path("root/loja"));
    await writeFile(central.path("root/loja/index.html"), "<h1>A loja</h1>");
    const up = ["up", "/root/loja", "--type", "site", "--language", "static", "--subdomain", "loja", "--yes"];
    await central.tijolo(up, asAna);
    await visitor.answers(site, "A loja");
    const isSecured = async () =>
      (await visitor.visit(site)).headers["strict-transport-security"] === "max-age=15552000";
    await until(isSecured, patient);
  });
  console.log(`from the command to an answering site: ${secondsSince(startedMs)}`);
  await step("HTTP leads to HTTPS, and an unknown name gets no certificate", async () => {
    const { status, headers } = await visitor.visit(`http://loja.${siteDomain}/a?b`);
    assert.deepEqual([status, headers["location"]], [308, `${site}a?b`]);
    assert.equal(await handshakeError(`outro.${siteDomain}`), "ERR_SSL_TLSV1_UNRECOGNIZED_NAME");
  });
  await step("a visitor who can comes by HTTP/3", async () => {
    await writeFile(home.path("root/issuing-root.pem"), await authority.issuingRoot());
    const { headers } = await visitor.visit(site);
    assert.equal(headers["alt-svc"], 'h3=":443"; ma=86400');
    const curl = [
      "curl",
      "-sS",
      "--http3-only",
      "--cacert",
      "/root/issuing-root.pem",
      "-w",
      " %{http_version}",
    ];
    assert.match(await home.run([...curl, site]), /A loja.* 3$/s);
  });
  await step("an own domain answers by HTTPS", async () => {
    const add = ["domains", "add", "loja", ownDomain];
    const { domain } = await central.tijolo<{ domain: Domain }>(add, asAna);
    for (const { way, type, name, value } of domain.records)
      if (way === "addresses") names.set(name, type, [value]);
    await central.tijolo(["domains", "verify", "loja", ownDomain], asAna);
    await visitor.answers(`https://${ownDomain}/`, "A loja");
  });

  await step("the site's analytics know the country of its visitors", async () => {
    const countries = async () => {
      const { analytics } = await central.tijolo<Analytics>(["analytics", "loja"], asAna);
      return analytics.top.countries[0]?.value;
    };
    assert.match(await until(countries, patient), /^[A-Z]{2}$/);
  });
  await step(
    "a HAProxy that was fetched would be renewed each day; the machine's own is left alone",
    async () => {
      await central.run(["systemctl", "is-active", "tijolo-haproxy.timer"]);
      await central.run(["systemctl", "start", "tijolo-haproxy.service"]);
    },
  );
  await step("tables of countries that are gone are brought again by their timer's service", async () => {
    const tables = "/opt/tijolo/countries";
    await central.run(["rm", "-r", tables]);
    await central.run(["systemctl", "is-active", "tijolo-countries.timer"]);
    await central.run(["systemctl", "start", "tijolo-countries.service"]);
    await central.run([
      "runuser",
      "-u",
      "tijolo",
      "--",
      "head",
      "-c1",
      `${tables}/geoip`,
      `${tables}/geoip6`,
    ]);
  });
  await step("the doctor finds all well", async () => {
    const { code, stdout } = await central.try(["tijolo", "doctor", "--lang", "en"]);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /✓ central: database of this release .*✓ agent: database of this release /s);
    assert.match(stdout, /✓ central: no projects that only hosts know \(0\)/);
    assert.match(stdout, /✓ gateway: HAProxy renewed daily/);
  });
  await step("the doctor says what is wrong, and what to do", async () => {
    const keys = "/etc/tijolo/master-keys";
    await central.run(["chmod", "644", keys]);
    await central.run(["systemctl", "stop", "tijolo-agent"]);
    const { code, stdout } = await central.try(["tijolo", "doctor", "--lang", "en"]);
    await central.run(["systemctl", "start", "tijolo-agent"]);
    await central.run(["chmod", "600", keys]);
    assert.equal(code, 1, stdout);
    const wrong = stdout.split("\n").filter((line) => line.startsWith("✗"));
    assert.deepEqual(wrong, [
      `✗ central: master keys for root alone (${keys}: 644)`,
      "✗ agent: service up (tijolo-agent.service)",
    ]);
    assert.match(stdout, /chmod 600 \/etc\/tijolo\/master-keys/);
  });
  await step("one address has 256 connections and 100 new ones a second; others are served on", async () => {
    await tooManyConnections(centralAddress);
    await tooManyVisits(centralAddress, `loja.${siteDomain}`);
    await visitor.answers(site, "A loja");
  });
  const invite = (kind: "host" | "gateway") =>
    central.tijolo<{ install: { line: string }; token: string }>(["cluster", kind, "add"], asOperator);
  const invited = await invite("gateway");
  await step("a machine becomes one more gateway by the line", () => joinAsGateway(second, invited));
  await step("site and panel answer by HTTPS at the second gateway", async () => {
    await using there = new Visitor(await authority.issuingRoot(), patient.timeoutMs, secondAddress);
    await there.answers(site, "A loja");
    await there.answers(`https://${panelName}/`, "<script type=");
    const { code, stdout } = await second.try(["/opt/tijolo/gateway/bin/tijolo", "doctor", "--lang", "en"]);
    assert.equal(code, 0, stdout);
  });
  await step("it serves no more once it is removed, and leaves nothing", async () => {
    await central.tijolo(["cluster", "gateway", "remove", "second", "--yes"], asOperator);
    await second.run(["/opt/tijolo/gateway/install", "uninstall", "gateway", "--purge"]);
    assert.equal(await handshakeError(`loja.${siteDomain}`, secondAddress), "ECONNREFUSED");
    const timer = "/etc/systemd/system/tijolo-haproxy.timer";
    for (const path of ["/opt/tijolo/gateway", "/var/lib/tijolo/gateway", "/etc/tijolo/gateway.env", timer])
      assert.equal((await second.try(["ls", path])).code, 2, path);
  });
  const { install, token } = await invite("host");
  await step("the line for a host behind NAT", () => showLine(home, install.line));
  await step("that host takes the packages of its system from central, and joins", async () => {
    await joinFromCentral(home, install.line, token);
    const joined = await hosts();
    assert.deepEqual(joined.map(({ name }) => name).toSorted(), ["central", "home"]);
  });
  await step("an agent makes its tools without internet", () => makeTree(central));
  await step("installed again, nothing changes", async () => {
    const printed = await central.run([installer, "all", "--yes", "--lang", "en"]);
    assert.match(printed, /Nothing to change/);
  });
  await step("what an interrupted installation did not start anew is started by the next one", async () => {
    // As if the programs had been replaced and nothing been started since.
    await central.run([
      "cp",
      "--preserve",
      "/opt/tijolo/central/bin/node",
      "/opt/tijolo/central/bin/node.new",
    ]);
    await central.run(["mv", "/opt/tijolo/central/bin/node.new", "/opt/tijolo/central/bin/node"]);
    const doctor = () => central.try(["tijolo", "doctor", "--lang", "en"]);
    assert.match(
      (await doctor()).stdout,
      /! central: service up .*deleted[^]*! gateway: service up .*deleted/,
    );
    await central.run([installer, "all", "--yes", "--lang", "en"]);
    assert.doesNotMatch((await doctor()).stdout, /deleted/);
  });
  await step("an upgrade whose central does not come up is taken back", async () => {
    const broken = await brokenRelease(central, installer);
    const used = await central.run(["readlink", "/opt/tijolo/central"]);
    const { code, stderr } = await central.try([broken, "central", "--lang", "en"]);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /Failed at "service up": [^]*broken on purpose[^]*All that was changed is undone/);
    assert.equal(await central.run(["readlink", "/opt/tijolo/central"]), used);
    assert.equal((await central.run(["ls", "/opt/tijolo/releases"])).trim(), basename(used.trim()));
    const doctor = await central.try(["tijolo", "doctor", "--lang", "en"]);
    assert.equal(doctor.code, 0, doctor.stdout);
    // Not visited meanwhile: without containers a site is reached over central.
    await visitor.answers(site, "A loja");
  });
  await step("visitors do not notice that the gateway and central restart", async () => {
    await using visits = steadily(async () => {
      const { status, text: shown } = await visitor.visit(site);
      assert.equal(status, 200, shown);
    });
    await central.run(["systemctl", "restart", "tijolo-gateway"]);
    await central.run(["systemctl", "restart", "tijolo-central"]);
    await until(async () => (await visitor.visit(site)).status === 200, patient);
    console.log(`  ${await visits.end()} visits meanwhile`);
  });
  await step("central's machine is rebooted, and the site is back", async () => {
    await central.reboot();
    await visitor.answers(site, "A loja");
  });
  await step("a host with projects is removed once a person says so", async () => {
    const uninstall = ["tijolo-agent", "uninstall", "--purge", "--lang", "en"];
    const refused = await central.try(uninstall);
    assert.equal(refused.code, 1, refused.stderr);
    assert.match(refused.stderr, /There is 1 project on this machine/);
    await central.run(["systemctl", "is-active", "tijolo-agent"]);
    await central.run([...uninstall, "--with-projects"]);
    for (const path of ["/opt/tijolo/agent", "/var/lib/tijolo/agent", "/etc/tijolo/agent.env"])
      assert.equal((await central.try(["ls", path])).code, 2, path);
    assert.notEqual((await central.try(["systemctl", "is-active", "tijolo-agent"])).code, 0);
  });
  await step("central is removed, with its data", async () => {
    await central.run([installer, "uninstall", "central", "--purge"]);
    assert.equal(await handshakeError(`loja.${siteDomain}`), "ECONNREFUSED");
    const left = (await central.run(["ls", "/etc/tijolo"])).split("\n");
    assert.deepEqual(
      left.filter((name) => /central|gateway|master/.test(name)),
      [],
    );
  });
}

/** Opens more connections than an address may have, holds them, and asks that those beyond are closed at once. */
async function tooManyConnections(host: string): Promise<void> {
  const [most, tried] = [256, 300];
  const sockets = Array.from({ length: tried }, () => connectPlain({ host, port: 80 }).on("error", () => {}));
  const open = () => sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length;
  for (const socket of sockets) socket.resume();
  await until(() => open() <= most, patient);
  assert.ok(open() > most / 2, `only ${open()} were taken`);
  for (const socket of sockets) socket.destroy();
}

/** Visits on connections of their own, more than an address may have in a second. */
async function tooManyVisits(host: string, name: string): Promise<void> {
  const asked = `GET / HTTP/1.1\r\nHost: ${name}\r\nAccept: application/json\r\nConnection: close\r\n\r\n`;
  const answer = async () => {
    const socket = connectPlain({ host, port: 80 });
    socket.write(asked);
    return text(socket);
  };
  const refused = await until(async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, answer));
    const statuses = answers.map((each) => each.slice(9, 12));
    assert.deepEqual(
      statuses.filter((status) => status !== "308" && status !== "429"),
      [],
    );
    return answers.find((each) => each.startsWith("HTTP/1.1 429 "));
  }, patient);
  assert.match(refused, /^retry-after: 1\r$/im);
  assert.match(refused, /"code":"overloaded"/);
}

/** The machine has no HAProxy, and no archive of Debian is reached: that comes from central, too. */
async function joinAsGateway(
  second: BootedMachine,
  { install, token }: { install: { line: string }; token: string },
): Promise<void> {
  await writeFile(second.path("root/token"), token);
  const line = ["sh", "-c", `${install.line} --token-file /root/token --yes --lang en`] as const;
  const { code, stdout, stderr } = await second.try(line);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /✓ \d+ checks of tijolo doctor are well\nThis machine is a gateway of the cluster/);
  const again = await second.run(line);
  assert.match(again, /Nothing to change/);
  await repairGateway(second, line);
}

/** Loses a link, a right and the place at the boot, has the same line repair them, and tries a release of another key. */
async function repairGateway(second: BootedMachine, line: readonly [string, ...string[]]): Promise<void> {
  const tree = "/opt/tijolo/gateway";
  const shape = await second.run(["cat", `${tree}/files.shape`]);
  const link = `${tree}/${/^l (\S+) /m.exec(shape)?.[1] ?? ""}`;
  await second.run(["rm", link]);
  await second.run(["chmod", "644", `${tree}/bin/tijolo`]);
  await second.run(["systemctl", "disable", "tijolo-gateway"]);
  const doctor = await second.try([
    `${tree}/bin/node`,
    `${tree}/cli/bin/tijolo.mjs`,
    "doctor",
    "--lang",
    "en",
  ]);
  assert.equal(doctor.code, 1);
  assert.match(doctor.stdout, /✗ gateway: programs whole/);
  assert.doesNotMatch(await second.run(line), /Nothing to change/);
  await second.run(["readlink", link]);
  await second.run([`${tree}/bin/tijolo`, "doctor"]);
  await second.run(["systemctl", "is-enabled", "tijolo-gateway"]);
  assert.match(await second.run(line), /Nothing to change/);

  const pin = "/etc/tijolo/release-key.pub";
  const key = await second.run(["cat", pin]);
  await writeFile(second.path(pin.slice(1)), `${"A".repeat(43)}\n`);
  const refused = await second.try(line);
  assert.equal(refused.code, 1, refused.stdout);
  assert.match(refused.stderr, /this machine keeps to [0-9a-f:]+: .*delete \/etc\/tijolo\/release-key\.pub/);
  await writeFile(second.path(pin.slice(1)), key);
}

/**
 * The line reaches central from behind NAT, trusts its hashes alone, and gets as far as the machine's own look at
 * itself: a machine in a container has no controllers of cgroup v2 where the kernel has given them to v1.
 */
async function showLine(home: BootedMachine, text: string): Promise<void> {
  await writeFile(home.path("root/token"), `tjj_${"A".repeat(43)}`);
  const line = (each: string) => home.try(["sh", "-c", `${each} --token-file /root/token --yes --lang en`]);
  const changed = await line(
    text.replace(/echo "(.)/, (_, first: string) => `echo "${first === "0" ? "1" : "0"}`),
  );
  assert.match(changed.stdout + changed.stderr, /FAILED|did NOT match/);
  const { code, stderr } = await line(text);
  assert.notEqual(code, 0);
  assert.match(stderr, /the controllers .* of cgroup v2 are missing|joined|token/);
  assert.equal((await home.try(["ls", "/opt/tijolo"])).code, 2, "something was left");
}

/**
 * The machine has none of the packages that a host needs, and no archive of Debian is reached. Where the kernel
 * has given the controllers to v1, a file in their place says that they are there: the host joins, and what was
 * installed is taken back as soon as its agent finds no groups.
 */
async function joinFromCentral(home: BootedMachine, text: string, token: string): Promise<void> {
  const packages = ["systemd-container", "mmdebstrap", "nftables", "wireguard-tools", "e2fsprogs"];
  const format = "--showformat=${db:Status-Abbrev}";
  const installed = async (name: string) =>
    (await home.try(["dpkg-query", "--show", format, name])).stdout.startsWith("ii");
  for (const each of packages) assert.equal(await installed(each), false, each);
  assert.notEqual((await home.try(["apt-get", "--quiet", "update", "--error-on=any"])).code, 0);
  await writeFile(home.path("root/controllers"), "cpu memory pids\n");
  await home.run(["mount", "--bind", "/root/controllers", "/sys/fs/cgroup/cgroup.controllers"]);
  const { code, shown } = await home.talk(["sh", "-c", `${text} --lang en`], {}, ["y", token]);
  assert.ok(!shown.includes(token), "the token is typed unseen");
  assert.match(shown, /✓ packages of the system\n✓ packages of the agent's tools\n/);
  if (code !== 0) assert.match(shown, /no process holds \/sys\/fs\/cgroup[^]*All that was changed is undone/);
  const log = await readFile(home.path("var/log/dpkg.log"), "utf8");
  for (const each of packages) {
    assert.match(log, new RegExp(`status installed ${each}:`));
    assert.equal(await installed(each), code === 0, each);
  }
}

/** An agent's tools come from the packages that lie beside them. */
async function makeTree(machine: BootedMachine): Promise<void> {
  const [modules, tools] = ["/opt/tijolo/agent/agent/src/host/checks", "/var/lib/tijolo/agent/tools"];
  const script = `const { debianTree, treeArgv } = await import("${modules}/debian-tree.js");
    console.log(treeArgv(await debianTree("${tools}", ["nginx"], () => {}), "usr/sbin/nginx").join(" "));`;
  const node = ["/opt/tijolo/agent/bin/node", "--input-type=module", "--eval", script];
  const nginx = (await machine.run(node)).trim().split(" ");
  assert.match((await machine.try([...nginx, "-v"])).stderr, /nginx version: nginx\/1\./);
}

interface Analytics {
  analytics: { top: { countries: { value: string }[] } };
}

interface Domain {
  records: { way: string; type: "A" | "AAAA" | "CNAME" | "TXT"; name: string; value: string }[];
}

/** Unpacks the release in the machine, beside its archives. Resolves with the path of its `install`. */
async function placeRelease(central: BootedMachine, folder: string, roots: string): Promise<string> {
  await cp(folder, central.path("root/release"), { recursive: true });
  await writeFile(central.path("etc/tijolo-acme-roots.pem"), roots);
  const { files } = JSON.parse(await readFile(join(folder, "release.json"), "utf8")) as {
    files: { name: string }[];
  };
  const archive = files[0]?.name ?? "";
  await central.run(["tar", "-xzf", `/root/release/${archive}`, "-C", "/root/release"]);
  return `/root/release/${archive.replace(".tar.gz", "")}/install`;
}

/** Makes a whole release of a later version whose central ends at once. Resolves with the path of its `install`. */
async function brokenRelease(central: BootedMachine, installer: string): Promise<string> {
  const tree = "/root/broken";
  await central.run(["cp", "--archive", dirname(installer), tree]);
  const changed = {
    "package.json": JSON.stringify({ version: "999.0.0", type: "module" }),
    "central/src/main.js": 'throw new Error("broken on purpose");\n',
  };
  let list = await readFile(central.path(`${tree}/files.sha256`), "utf8");
  for (const [name, content] of Object.entries(changed)) {
    await writeFile(central.path(`${tree}/${name}`), content);
    const hash = createHash("sha256").update(content).digest("hex");
    const lines = list.split("\n");
    assert.ok(
      lines.some((line) => line.endsWith(`  ${name}`)),
      name,
    );
    list = lines.map((line) => (line.endsWith(`  ${name}`) ? `${hash}  ${name}` : line)).join("\n");
  }
  await writeFile(central.path(`${tree}/files.sha256`), list);
  return `${tree}/install`;
}

/** Visits one after the other until it is ended, which resolves with their number; the first that fails ends it. */
function steadily(visit: () => Promise<void>): AsyncDisposable & { end: () => Promise<number> } {
  let isOver = false;
  let count = 0;
  const visiting = (async () => {
    for (; !isOver; count++) await visit();
  })();
  visiting.catch(() => {}); // told at the end
  const end = async () => {
    isOver = true;
    await visiting;
    return count;
  };
  return { end, [Symbol.asyncDispose]: async () => void (await end().catch(() => {})) };
}

/** Resolves with why no TLS connection comes to be under that name. */
async function handshakeError(name: string, host = centralAddress): Promise<string> {
  const socket = connect({ host, port: 443, servername: name, rejectUnauthorized: false });
  const { promise, resolve } = Promise.withResolvers<string>();
  socket.once("secureConnect", () => resolve("none"));
  socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  return promise.finally(() => socket.destroy());
}
