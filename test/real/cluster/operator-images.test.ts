/**
 * An operator has a language version run on an image of their own registry: pulled ahead with progress, used
 * by projects, exchanged while they run, and enough by itself when the registry, the mirrors and central are
 * away.
 */

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { HostRemovals, ImageList } from "@tijolo/protocol";
import { exec } from "../../../agent/src/host/exec.ts";
import { createImageStore } from "../../../agent/src/images/image-store.ts";
import { CommandLine } from "../../support/commands/command-line.ts";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { until } from "../../support/until.ts";
import { DeployedProject, type Upload } from "../support/projects/deployed-project.ts";
import {
  archiveOf,
  ImagePusher,
  rawArchive,
  type ImageLayer,
} from "../support/images/docker-registry-image.ts";
import { CertificateAuthority } from "../support/network/certificate-authority.ts";
import { OutsideMachine } from "../support/network/outside-machine.ts";
import { DockerRegistry } from "../support/images/docker-registry.ts";
import { keptImagesDirectory, testIndexAgeDays } from "../support/images/kept-images.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";

/** Nobody listens there. */
const nowhere = "http://127.0.0.1:9/";

let directory: string;
let registry: DockerRegistry;
let cluster: RealCluster;
let account: TestAccount;
let line: CommandLine;
let reference: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "tijolo-operator-images-"));
  registry = await DockerRegistry.start(join(directory, "registry"));
  reference = `${registry.host}/team/python:3.12`;
  cluster = await RealCluster.create({
    agentSettings: {
      TIJOLO_IMAGES_DIRECTORY: "", // its own, and empty
      TIJOLO_REGISTRY_INSECURE: registry.host,
      TIJOLO_DEBIAN_MIRROR: nowhere,
      TIJOLO_NPM_REGISTRY: nowhere,
    },
  });
  account = await cluster.createAccount();
  line = await CommandLine.create();
  line.environment = {
    TIJOLO_URL: cluster.operator.centralUrl,
    TIJOLO_OPERATOR_TOKEN: cluster.operator.token,
  };
});
after(async () => {
  await line?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
  await registry?.[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

const run = (words: string) => line.run(["cluster", "image", ...words.split(" ")]);
const greeter: Upload = {
  files: {
    "main.py": `import sys, time\nprint(open("/etc/greeting").read().strip(), sys.executable, flush=True)\ntime.sleep(100000)\n`,
  },
  config: { language: "python", version: "3.12", entry: "main.py" },
};

test(
  "a project runs on the operator's image, is moved to a newer one, and needs no network for either",
  { timeout: 600_000 },
  async () => {
    const base = await pythonLayers();
    await push("first", base);

    const set = await run(`set python 3.12 ${reference}`);
    assert.equal(set.code, 0, set.stderr);
    const pulled = await run("pull python 3.12");
    assert.equal(pulled.code, 0, pulled.stderr);
    assert.match(
      pulled.stdout,
      /python 3\.12 está pronta \(\d+(,\d)? MB, de 127\.0\.0\.1:\d+\/team\/python:3\.12/,
    );
    assert.ok(
      pulled.stderr.split("\n").filter((text) => text.includes("python 3.12: ")).length >= 3,
      pulled.stderr,
    );

    const project = await DeployedProject.create(account.client, greeter);
    assert.match(await project.prints("first"), /python/);

    await push("second", base);
    const again = await run("pull python 3.12");
    assert.match(again.stdout, /está pronta.*\n.*1 projeto que roda continua na imagem de antes/);
    assert.deepEqual([await greetings(project), (await project.get()).status], [["first"], "running"]);
    await account.client.restartProject({ id: project.id });
    await project.prints("second");
    assert.match((await run("pull python 3.12")).stdout, /já estava lá, sem mudança/);

    const { hosts } = JSON.parse((await run("list --json")).stdout) as ImageList;
    const [{ layers, recipes } = { layers: [], recipes: [] }] = hosts;
    const uses = layers.map(({ projects, isPulled }) => `${projects} ${isPulled ? "pulled" : "left"}`).sort();
    assert.deepEqual(uses, ["0 left", "1 pulled", ...base.map(() => "1 pulled")]);
    assert.equal(
      recipes.find(({ language, version }) => language === "python" && version === "3.12")?.override,
      reference,
    );
    const { hosts: pruned } = JSON.parse((await run("prune --json")).stdout) as { hosts: HostRemovals[] };
    assert.deepEqual(
      pruned[0]?.removed.map(({ title }) => title),
      [`Layer of ${reference}`],
      "the layer of the first image, and no other",
    );

    await registry[Symbol.asyncDispose]();
    await account.client.restartProject({ id: project.id });
    const other = await DeployedProject.create(account.client, greeter);
    await other.prints("second");
    await until(async () => (await greetings(project)).length === 3, { timeoutMs: 60_000 });
    const failed = await run("pull python 3.12");
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /python 3\.12 falhou: .*127\.0\.0\.1/);

    await cluster.central.kill();
    await cluster.host.reboot();
    await cluster.host.agent.start();
    await until(() => [project, other].every(({ id }) => cluster.host.pidsOf(id).length > 0), {
      timeoutMs: 60_000,
    });
    await cluster.startCentral();
    await cluster.untilConnected();
    const areRunning = async () =>
      (await greetings(project)).join() === "first,second,second,second" &&
      (await greetings(other)).join() === "second,second";
    await until(areRunning, { timeoutMs: 60_000 });
    assert.match((await run("prune")).stdout, /nada a remover/);

    for (const { id } of [project, other]) await cluster.operator.client().deleteProject({ id });
    const isEmpty = async () => {
      await run("prune");
      return (
        ((JSON.parse((await run("list --json")).stdout) as ImageList).hosts[0]?.layers.length ?? 1) === 0
      );
    };
    await until(isEmpty, { timeoutMs: 60_000, everyMs: 200 }); // a host takes a moment to let go of a project
  },
);

test("an image comes from a registry by TLS once the host knows its authority; until then the operator reads what to do", async () => {
  await using machine = await OutsideMachine.create();
  const authority = await CertificateAuthority.create(directory);
  const storage = join(directory, "by-tls");
  {
    await using open = await DockerRegistry.start(storage);
    const archive = rawArchive([{ name: "etc/greeting", content: "olá" }]);
    await new ImagePusher(open.host, "team/ruby").push("4.0", [{ archive, compression: "gzip" }]);
  }
  await using byTls = await DockerRegistry.start(storage, undefined, {
    machine,
    certificate: await authority.issue(machine.address),
  });
  assert.equal((await run(`set ruby 4.0 ${byTls.host}/team/ruby:4.0`)).code, 0);

  const refused = await run("pull ruby 4.0");
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /ruby 4\.0 falhou: .*authority that this host does not know: put .* and restart/,
  );

  // As update-ca-certificates leaves it, in another place than Debian's.
  const bundle = join(directory, "ca-certificates.crt");
  await writeFile(
    bundle,
    (
      await Promise.all(["/etc/ssl/certs/ca-certificates.crt", authority.file].map((file) => readFile(file)))
    ).join("\n"),
  );
  await cluster.host.agent.stop();
  await cluster.host.agent.start({ SSL_CERT_FILE: bundle });
  await cluster.untilConnected();
  const pulled = await run("pull ruby 4.0");
  assert.equal(pulled.code, 0, pulled.stderr);
  assert.match(pulled.stdout, /ruby 4\.0 está pronta \(.* de .*\/team\/ruby:4\.0/);
});

/** Returns the greeting of each of its starts. */
async function greetings(project: DeployedProject): Promise<string[]> {
  return (await project.output()).map((text) => text.split(" ")[0] ?? "");
}

/** Returns what the test's hosts have as Python, lowest layer first. */
async function pythonLayers(): Promise<ImageLayer[]> {
  const store = await createImageStore({
    imagesDirectory: keptImagesDirectory,
    debianIndexAgeDays: testIndexAgeDays,
    logger: { info() {}, warn() {} },
  });
  const { layers } = await store.ensure({ language: "python", version: "3.13", systemPackages: [] });
  await store.close();
  const archives: ImageLayer[] = [];
  for (const [index, root] of layers.toReversed().entries()) {
    const file = join(directory, `layer-${index}.tar`);
    await exec(
      [
        "tar",
        "--create",
        "--numeric-owner",
        `--file=${file}`,
        `--directory=${root}`,
        "--exclude=./dev/*",
        ".",
      ],
      {
        timeoutMs: 120_000,
      },
    );
    archives.push({ archive: await readFile(file), compression: "zstd" });
    await rm(file);
  }
  return archives;
}

async function push(greeting: string, base: ImageLayer[]): Promise<void> {
  const folder = join(directory, greeting);
  await mkdir(join(folder, "etc"), { recursive: true });
  await writeFile(join(folder, "etc/greeting"), `${greeting}\n`);
  const top: ImageLayer = { archive: await archiveOf(folder), compression: "gzip" };
  await new ImagePusher(registry.host, "team/python").push("3.12", [...base, top]);
}
