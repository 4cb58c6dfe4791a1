/**
 * Installs a cluster on three machines that are booted: central and its gateway on one, by the release, and two
 * hosts by the line, one of them behind NAT without UDP. Each line that it prints is something that held, with
 * its time. `run-internet.ts` runs it in namespaces of its own. Arguments: an empty directory, a short one for
 * sockets, the luggage, the machines' disk, kernel and initrd, and QEMU's own arguments in JSON.
 */

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setGlobalDispatcher, Agent } from "undici";
import { nodeProgram, DeployedProject, type Upload } from "../../real/support/projects/deployed-project.ts";
import { SmallInternet } from "../../release/support/small-internet.ts";
import { secondsSince, step } from "../../release/support/step.ts";
import { Visitor } from "../../release/support/visitor.ts";
import { wiringOf, type MachinePlace } from "../../release/support/wiring.ts";
import { Operator } from "../../support/cluster/operator.ts";
import { until } from "../../support/until.ts";
import { EmulatedMachine } from "./emulated-machine.ts";

const siteDomain = "sites.exemplo.dev";
const panelName = "painel.exemplo.dev";
const siteNames = ["loja", "jornal"] as const;
const ownDomains = ["www.cliente.dev", "www.outro.dev"] as const;
const centralAddress = "20.0.0.10";
const nearAddress = "20.0.0.11";
/** Where a host finds the layers of an image. */
const given = "/var/lib/tijolo/given-images";
/** Waits are long, as each machine has one emulated processor: a second elsewhere is a quarter of a minute here. */
const patient = { timeoutMs: 900_000, everyMs: 1_000 };

const [directory = "", sockets = "", luggage = "", disk = "", kernel = "", initrd = "", qemu = "[]"] =
  process.argv.slice(2);
await using internet = await SmallInternet.create(directory);
const { names, authority } = internet;
for (const zone of ["exemplo.dev", "cliente.dev", "outro.dev"]) names.zone(zone);
for (const name of [
  panelName,
  ...[...siteNames, "gateway.dominios"].map((label) => `${label}.${siteDomain}`),
])
  names.set(name, "A", [centralAddress]);

const [central, near, muted] = await step(
  "three machines boot, with systemd, cgroup v2 and a kernel each",
  () =>
    Promise.all([
      boot("central", { public: centralAddress }),
      boot("near", { public: nearAddress }),
      boot("muted", "muted"),
    ]),
);
const groups = (await near.run(["stat", "--file-system", "--format=%T", "/sys/fs/cgroup"])).trim();
assert.equal(groups, "cgroup2fs");
console.log(`  kernel ${(await near.run(["uname", "-r"])).trim()}`);

const issuingRoot = await authority.issuingRoot();
await using visitor = new Visitor(issuingRoot, patient.timeoutMs);
setGlobalDispatcher(new Agent({ connect: { ca: issuingRoot, timeout: 60_000 } }));

await step("central and its gateway are installed by the release", async () => {
  await central.write("/etc/tijolo-acme-roots.pem", authority.roots);
  const archive = (await central.run(["ls", "/luggage/release"]))
    .split("\n")
    .find((name) => name.endsWith(".tar.gz") && !name.includes("packages"));
  assert.ok(archive !== undefined);
  await central.run(["cp", "--recursive", "/luggage/release", "/root/"]);
  await central.run(["tar", "-xzf", `/root/release/${archive}`, "-C", "/root/release"]);
  const installer = `/root/release/${archive.replace(".tar.gz", "")}/install`;
  const printed = await central.run([installer, "central", "--yes", "--lang", "en"], {
    TIJOLO_SITE_DOMAIN: siteDomain,
    TIJOLO_PANEL_URL: `https://${panelName}`,
    TIJOLO_ACME_DIRECTORIES: authority.directoryUrl,
    TIJOLO_ACME_ROOTS_FILE: "/etc/tijolo-acme-roots.pem",
    TIJOLO_GATEWAY_ADDRESSES: centralAddress,
  });
  assert.match(printed, /https:\/\/painel\.exemplo\.dev\/start#token=/);
});
await step("the panel answers by HTTPS", () => visitor.answers(`https://${panelName}/`, "<script type="));

const token = (await central.run(["cat", "/var/lib/tijolo/central/first-operator-token"])).trim();
const operator = new Operator(`https://${panelName}`, token);
const hostNames = async () =>
  (await operator.hosts()).filter(({ state }) => state === "connected").map(({ name }) => name);
await step("both are given the image of Node", () => Promise.all([near, muted].map(giveImages)));
const startedMs = performance.now();
await step("two machines become hosts, each by its line, one of them behind NAT and without UDP", () =>
  Promise.all([near, muted].map(joinAsHost)),
);

const owner = await operator.createAccount({
  plan: "Empresas",
  scopes: ["projects:settings", "domains:write"],
});
const sites = await step("a site on each host answers by HTTPS, under the cluster's domain", async () => {
  const deployed = [await deploy(siteOf(siteNames[0])), await deploy(siteOf(siteNames[1]))] as const;
  console.log(`  from the line to two sites that run: ${secondsSince(startedMs)}`);
  await Promise.all(siteNames.map((name) => visitor.answers(`https://${name}.${siteDomain}/`, name)));
  await areOnBothHosts(deployed);
  return deployed;
});
console.log(`from the line to two answering sites: ${secondsSince(startedMs)}`);
await step("each answers by HTTPS under its own domain", () =>
  Promise.all(sites.map((site, index) => addDomain(site, ownDomains[index] ?? "", siteNames[index] ?? ""))),
);

const internalHosts = await Promise.all(sites.map(async (site) => (await site.get()).internalHost));
const bots = await step("a bot on each host talks to the sites on both by internalHost", async () => {
  const deployed = [
    await deploy(botThatCalls(internalHosts)),
    await deploy(botThatCalls(internalHosts)),
  ] as const;
  await areOnBothHosts(deployed);
  for (const bot of deployed)
    for (const name of siteNames) await bot.prints(`200 ${name}`, patient.timeoutMs);
  return deployed;
});
for (const machine of [near, muted]) {
  const isOfKernel = (await machine.run(["lsmod"])).includes("wireguard");
  console.log(`  ${machine.name}: WireGuard of ${isOfKernel ? "the kernel" : "wireguard-go"}`);
}

await step(
  "a host becomes one more gateway by its line: both sites answer there, one over the mesh",
  async () => {
    await joinCluster("gateway", near);
    const routes = "/var/lib/tijolo/gateway/run/routes.map";
    const hasBothWays = async () =>
      /^\S+ near-zip\|[^]*^\S+ far-zip\||^\S+ far-zip\|[^]*^\S+ near-zip\|/m.test(
        (await near.try(["cat", routes])).stdout,
      );
    await until(hasBothWays, patient);
    await using there = new Visitor(issuingRoot, patient.timeoutMs, nearAddress);
    for (const name of siteNames) await there.answers(`https://${name}.${siteDomain}/`, name);
  },
);
await step("the host behind NAT is rebooted: all is back, and both bots talk on", async () => {
  await muted.reboot();
  const backAt = new Date().toISOString();
  await Promise.all(
    ownDomains.map((name, index) => visitor.answers(`https://${name}/`, siteNames[index] ?? "")),
  );
  for (const bot of bots) {
    await bot.is("running", patient.timeoutMs);
    const hasReached = async (name: string) =>
      (await bot.lines({ section: "app" })).some(({ at, text }) => at > backAt && text === `200 ${name}`);
    for (const name of siteNames) await until(() => hasReached(name), patient);
  }
});
await step("the doctor finds all well on each machine", async () => {
  for (const [machine, command] of [
    [central, "tijolo"],
    [near, "tijolo-agent"],
    [near, "/opt/tijolo/gateway/bin/tijolo"],
    [muted, "tijolo-agent"],
  ] as const) {
    const { code, stdout, stderr } = await machine.try([command, "doctor", "--lang", "en"]);
    assert.equal(code, 0, `${machine.name}: ${stdout}${stderr}`);
  }
});

/** Boots a machine, with its luggage at /luggage. */
async function boot(name: string, place: MachinePlace): Promise<EmulatedMachine> {
  const own = join(directory, name);
  await mkdir(own);
  const machine = internet.use(
    await EmulatedMachine.boot({
      name,
      qemu: JSON.parse(qemu) as string[],
      system: { disk, kernel, initrd },
      luggage,
      directory: own,
      socket: join(sockets, name),
      ...wiringOf(place),
    }),
  );
  await machine.run(["mkdir", "/luggage"]);
  await machine.run(["mount", "--options", "ro", "--label", "luggage", "/luggage"]);
  return machine;
}

async function joinAsHost(machine: EmulatedMachine): Promise<void> {
  await joinCluster("host", machine);
  await until(async () => (await hostNames()).includes(machine.name), patient);
}

/** Makes the machine a host or a gateway, as the line that central prints does. */
async function joinCluster(kind: "host" | "gateway", machine: EmulatedMachine): Promise<void> {
  const { install, token: own } = await central.tijolo<{ install: { line: string }; token: string }>(
    ["cluster", kind, "add"],
    { TIJOLO_URL: "http://127.0.0.1:8080", TIJOLO_OPERATOR_TOKEN: token },
  );
  await machine.write("/root/token", own);
  await machine.run(["sh", "-c", `${install.line} --token-file /root/token --yes --lang en`]);
}

/**
 * Gives a machine the image that its agent would make itself, in minutes on an emulated processor and with a mirror
 * of Debian. They lie in a directory that counts as shared: of their own, agents remove what no project uses yet.
 */
async function giveImages(machine: EmulatedMachine): Promise<void> {
  const settings = "/etc/systemd/system/tijolo-agent.service.d";
  await machine.run(["mkdir", "--parents", "/var/lib/tijolo", settings]);
  await machine.run(["cp", "--archive", "/luggage/images", given]);
  await machine.write(`${settings}/images.conf`, `[Service]\nEnvironment=TIJOLO_IMAGES_DIRECTORY=${given}\n`);
}

function siteOf(name: string): Upload {
  return nodeProgram(
    `require("http").createServer((request, response) => response.end("${name}")).listen(process.env.PORT);`,
    { type: "site", subdomain: name, memoryMb: 512, port: 8080 },
  );
}

/** Prints the status and the body of each answer of both sites, every two seconds. */
function botThatCalls(hosts: readonly string[]): Upload {
  return nodeProgram(`for (const host of ${JSON.stringify(hosts)})
    setInterval(() => fetch("http://" + host + ":8080/", { signal: AbortSignal.timeout(20000) })
      .then(async (answer) => console.log(answer.status + " " + (await answer.text())))
      .catch((error) => console.log(String(error.cause ?? error))), 2000);`);
}

async function deploy(upload: Upload): Promise<DeployedProject> {
  const project = await DeployedProject.create(owner.client, upload);
  await project.is("running", patient.timeoutMs).catch(async (cause: unknown) => {
    const journal = ["journalctl", "--unit=tijolo-agent", "--no-pager", "--lines=40", "--output=cat"];
    const logs = await Promise.all([near, muted].map(async (machine) => (await machine.try(journal)).stdout));
    throw new Error(`a project does not run; the agents' logs:\n${logs.join("\n")}`, { cause });
  });
  return project;
}

/** Central places a project where most memory is free, so of two alike each host gets one. */
async function areOnBothHosts(projects: readonly DeployedProject[]): Promise<void> {
  const hosts = await Promise.all(
    [near, muted].map(async ({ name }) => (await operator.client().getHost({ host: name })).projects),
  );
  for (const placed of hosts)
    assert.ok(
      projects.some(({ id }) => placed.some((project) => project.id === id)),
      "one host has both",
    );
}

/** Adds a domain, sets the DNS records that its owner is told, and visits it. */
async function addDomain({ id }: DeployedProject, hostname: string, text: string): Promise<void> {
  const { domain } = await owner.client.addDomain({ id, body: { hostname } });
  for (const { way, type, name, value } of domain.records)
    if (way === "addresses") names.set(name, type, [value]);
  await owner.client.verifyDomain({ id, hostname });
  await visitor.answers(`https://${hostname}/`, text);
}
