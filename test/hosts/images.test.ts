/**
 * `tijolo cluster image …` as an operator types it: hosts list, pull and remove images, and follow the
 * operator's own.
 */

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { imageVersions, type HostReference, type HostRemovals, type ImageList } from "@tijolo/protocol";
import { CommandLine } from "../support/commands/command-line.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestHost } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

interface PrintedEvent {
  kind: string;
  host: HostReference;
}

const own = "registry.example/team/python:3.13";
const python = { language: "python", version: "3.13" };

class Bench implements AsyncDisposable {
  readonly cluster: TestCluster;
  readonly #line: CommandLine;

  private constructor(cluster: TestCluster, line: CommandLine) {
    this.cluster = cluster;
    this.#line = line;
  }

  static async create(hosts = 1): Promise<Bench> {
    const cluster = await TestCluster.create({ hosts });
    const line = await CommandLine.create();
    line.environment = { TIJOLO_URL: cluster.centralUrl, TIJOLO_OPERATOR_TOKEN: cluster.operatorToken };
    return new Bench(cluster, line);
  }

  run(words: string, language?: "pt" | "en") {
    return this.#line.run(["cluster", "image", ...words.split(" ")], language);
  }

  async json<Result>(words: string): Promise<Result> {
    return JSON.parse((await this.run(`${words} --json`)).stdout) as Result;
  }

  list(): Promise<ImageList> {
    return this.json("list");
  }

  async pythonProject(): Promise<SimulatedProject> {
    const project = await SimulatedProject.create(
      await this.cluster.createAccount({ plan: "Empresas" }),
      "sim run",
      { config: python },
    );
    await project.is("running");
    return project;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#line[Symbol.asyncDispose]();
    await this.cluster[Symbol.asyncDispose]();
  }
}

const titles = ({ machine }: TestHost) =>
  [...machine.images.layers.values()].map(({ title }) => title).sort();

suite("images of hosts", { concurrency: 3 }, () => {
  test("the list has each host's layers with their users, and where each language version comes from", async () => {
    await using bench = await Bench.create(2);
    const project = await bench.pythonProject();
    const { hosts, overrides } = await bench.list();
    assert.deepEqual(overrides, []);
    assert.deepEqual(
      hosts.map(({ host, isReached }) => [host.name, isReached]),
      [
        ["host-1", true],
        ["host-2", true],
      ],
    );
    const layers = hosts.flatMap((host) => host.layers);
    assert.deepEqual(
      layers.map(({ title, source, projects, isPulled }) => [title, source, projects, isPulled]),
      [["python 3.13", "debian", 1, false]],
      "one host runs the project",
    );
    for (const { recipes } of hosts) {
      assert.deepEqual(
        recipes.map(({ language, version }) => `${language} ${version}`),
        imageVersions.map(({ language, version }) => `${language} ${version}`),
      );
      assert.ok(recipes.every(({ sources }) => sources.length > 0 && sources.every(({ why }) => why !== "")));
    }
    const shown = await bench.run("list --host host-1 --sources");
    assert.equal(shown.code, 0);
    assert.ok(
      !shown.stdout.includes("host-2") && /python 3\.11 +Debian bookworm/.test(shown.stdout),
      shown.stdout,
    );
    const none = await bench.run("list --host host-9", "en");
    assert.equal(none.code, 1);
    assert.match(none.stderr, /No host has the id or the name host-9/);
    await project.stop();
  });

  test("an operator's image is used from the next start on, by no other source, also without central; unset returns", async () => {
    await using bench = await Bench.create(1);
    const { cluster } = bench;
    const { images } = cluster.host.machine;
    const project = await bench.pythonProject();
    const set = await bench.run(`set python 3.13 ${own}`);
    assert.equal(set.code, 0, set.stderr);
    assert.match(
      set.stdout + set.stderr,
      /a partir do próximo início.*[^]*tijolo cluster image pull python 3\.13/,
    );
    await until(
      async () => (await bench.list()).hosts[0]?.recipes.some(({ override }) => override === own) === true,
    );
    assert.deepEqual(
      [(await project.get()).status, images.fetches.get(own)],
      ["running", undefined],
      "what runs goes on",
    );

    await cluster.stopCentral();
    await cluster.host.stop();
    cluster.host.machine.reboot();
    await cluster.host.start();
    await until(() => images.fetches.get(own) === 1);
    await cluster.startCentral();
    await cluster.untilConnected();
    await project.is("running");
    assert.deepEqual(
      (await bench.list()).overrides,
      [{ ...python, reference: own }],
      "central knows it after a restart, too",
    );

    images.layers.clear();
    images.failures.set(own, "the registry said no");
    await project.restart();
    await until(() => (images.fetches.get(own) ?? 0) > 1);
    assert.deepEqual(
      [titles(cluster.host), (await project.get()).status === "running"],
      [[], false],
      "no other image takes its place",
    );
    images.failures.clear();
    await project.is("running");

    assert.match((await bench.run("unset python 3.13")).stdout, /volta à imagem do Tijolo/);
    assert.match((await bench.run("unset python 3.13", "en")).stdout, /was on Tijolo's image already/);
    await until(
      async () => (await bench.list()).hosts[0]?.recipes.every(({ override }) => override === null) === true,
    );
    await project.restart();
    await until(() => titles(cluster.host).includes("python 3.13"));
  });

  test("a pull tells what each host does; what fails on one, or is away, stops no other and ends with 1", async () => {
    await using bench = await Bench.create(3);
    const [first, second, third] = bench.cluster.hosts;
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    await bench.run(`set python 3.13 ${own}`);
    second.machine.images.failures.set(own, "the registry said no");
    await third.stop();
    await until(async () => (await bench.cluster.connectedHosts()) === 2);

    const pulled = await bench.run("pull python 3.13", "en");
    assert.equal(pulled.code, 1);
    assert.match(
      pulled.stdout,
      /^host-1: python 3\.13 is ready \(50 MB, from registry\.example\/team\/python:3\.13\)$/m,
    );
    assert.match(pulled.stderr, /^host-1: python 3\.13: Asking for registry\.example/m);
    assert.match(pulled.stderr, /^host-2: python 3\.13 failed: the registry said no$/m);
    assert.match(pulled.stderr, /^host-3: did not answer/m);
    assert.deepEqual([first, second, third].map(titles), [[own], [], []]);

    second.machine.images.failures.clear();
    const { stdout, code } = await bench.run("pull python 3.13 --host host-2 --json");
    const events = stdout
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text) as PrintedEvent);
    assert.equal(code, 0);
    assert.deepEqual([...new Set(events.map(({ host }) => host.name))], ["host-2"]);
    assert.deepEqual(events.at(-1)?.kind, "image-pulled");
    await third.start();
    await bench.cluster.untilConnected();
    const all = await bench.run("pull --all --host host-3");
    assert.equal(all.code, 0, all.stderr);
    assert.equal(third.machine.images.layers.size, imageVersions.length);
    assert.ok(titles(third).includes(own), "a host that was away when it was set has the operator's");
  });

  test("a pull fetches what the tag is now, and says which projects stay on the image of before", async () => {
    await using bench = await Bench.create();
    const project = await bench.pythonProject();
    const before = await bench.run("pull python 3.13");
    assert.match(before.stdout, /já estava lá/);
    assert.equal(bench.cluster.host.machine.images.fetches.get("Debian trixie"), 2, "a pull asks again");
    await bench.run(`set python 3.13 ${own}`);
    assert.match(
      (await bench.run("pull python 3.13")).stdout,
      /1 projeto que roda continua na imagem de antes/,
    );
    await project.restart();
    await until(async () => !(await bench.run("pull python 3.13")).stdout.includes("continua"));
  });

  test("prune removes what no project uses, pulled images as well, and says what is freed", async () => {
    await using bench = await Bench.create(2);
    const project = await bench.pythonProject();
    await bench.run("pull ruby 3.4");
    await bench.run("pull python 3.13");
    const { hosts: before } = await bench.list();
    assert.ok(before.every(({ layers }) => layers.length === 2 && layers.every(({ isPulled }) => isPulled)));
    const { hosts } = await bench.json<{ hosts: HostRemovals[] }>("prune");
    const removed = hosts.map((host) =>
      host.removed.map(({ title, sizeBytes }) => `${title} ${sizeBytes}`).sort(),
    );
    assert.deepEqual(
      removed.toSorted((a, b) => a.length - b.length),
      [["ruby 3.4 50000000"], ["python 3.13 50000000", "ruby 3.4 50000000"]],
    );
    assert.match((await bench.run("prune")).stdout, /^host-1: nada a remover\nhost-2: nada a remover\n$/);
    const { hosts: after } = await bench.list();
    assert.deepEqual(new Set(after.map(({ layers }) => layers.length)), new Set([0, 1]));
    await project.restart();
    await project.is("running");
  });

  test("who stops reading stops the hosts", async () => {
    await using bench = await Bench.create();
    const { images } = bench.cluster.host.machine;
    const gate = Promise.withResolvers<void>();
    images.gate = gate.promise;
    const reader = new AbortController();
    const events = bench.cluster.admin.pullImages(
      { body: { images: [{ language: "ruby", version: "3.4" }] } },
      { signal: reader.signal },
    );
    const reading = (async () => {
      for await (const { event } of events) if (event === "image-progress") reader.abort();
    })();
    await reading.catch(() => {});
    assert.ok(reader.signal.aborted);
    await until(() => images.underWay === 0);
    gate.resolve();
    images.gate = Promise.resolve();
    assert.match((await bench.run("pull go 1.27")).stdout, /está pronta/);
    assert.deepEqual(titles(bench.cluster.host), ["go 1.27"], "the abandoned pull brought nothing");
  });

  test("what is no image, version or host is refused before anything is asked", async () => {
    await using bench = await Bench.create(0);
    const wrong = ["pull", "pull ruby", "pull static x", "pull ruby 9.9", "pull --all ruby 3.4", "unset"];
    const wrongSets = [
      "set ruby 3.4",
      "set ruby 3.4 Not/Valid",
      "set ruby 3.4 a:b:c:d",
      "set static x y",
      "set ruby 3.4 x y",
    ];
    for (const words of [...wrong, ...wrongSets]) assert.equal((await bench.run(words)).code, 2, words);
    assert.equal((await bench.run("pull ruby 3.4")).code, 1, "without a host");
    assert.equal((await bench.run("pull ruby 3.4 --packages vim")).code, 1, "which there are, central knows");
    await assert.rejects(
      bench.cluster.admin.setImage({ language: "static", version: "x", body: { reference: own } }),
      { code: "invalid_request", status: 400 },
    );
    const anonymous = await fetch(`${bench.cluster.centralUrl}/api/cluster/images/pull`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify({ images: [python] }),
    });
    assert.deepEqual([anonymous.status, /invalid_operator_token/.test(await anonymous.text())], [401, true]);
  });
});
