/**
 * A host of its own for one test file: data directory, network namespace, root image and the real runtime;
 * leaves nothing behind.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { leastWaitMs } from "../../../support/until.ts";
import { NspawnRuntime } from "../../../../agent/src/runtime/nspawn/nspawn-runtime.ts";
import { debianBase } from "../../../../agent/src/images/recipes/debian.ts";
import { Tools } from "../../../../agent/src/host/checks/tools.ts";
import { outputDirectories, type LogSet } from "../../../../agent/src/logs/writer/log-files.ts";
import type {
  InstallRequest,
  Instance,
  InstanceExit,
  StartRequest,
} from "../../../../agent/src/runtime/runtime.ts";
import { findGroups } from "../../../support/machine/find-groups.ts";
import { removeDead } from "./remove-dead.ts";
import { wipeInstance } from "./wipe-instance.ts";
import { openKeptImages } from "../images/kept-images.ts";

const repository = join(import.meta.dirname, "../../../..");
/** Directory kept between runs for what takes seconds to fetch. */
const cache = process.env.TIJOLO_TEST_CACHE ?? join(tmpdir(), "tijolo-test-cache");
const initScript = join(repository, "agent/src/runtime/nspawn/init.sh");

/** For a busy machine; the virtual one is emulated, and some thirty times slower. */
const defaultDeadlineMs = process.env.TIJOLO_VM === undefined ? 120_000 : 300_000;

export interface RunResult extends InstanceExit {
  stdout: string[];
  stderr: string[];
}

let hosts = 0;

export class ContainerHost implements AsyncDisposable {
  readonly dataDirectory: string;
  readonly instanceName: string;
  readonly runtime: NspawnRuntime;
  readonly ended: Instance[] = [];
  readonly #rootImage: string;
  readonly #tools: Tools;
  #runNumber = 0;

  private constructor(fields: {
    dataDirectory: string;
    instanceName: string;
    runtime: NspawnRuntime;
    rootImage: string;
    tools: Tools;
  }) {
    this.dataDirectory = fields.dataDirectory;
    this.instanceName = fields.instanceName;
    this.runtime = fields.runtime;
    this.#rootImage = fields.rootImage;
    this.#tools = fields.tools;
    this.runtime.onExit((instance) => this.ended.push(instance));
  }

  static async create(): Promise<ContainerHost> {
    await removeDead();
    const rootImage = await testRootImage();
    const instanceName = `test-host-${process.pid}-${++hosts}`;
    const dataDirectory = join(tmpdir(), `tijolo-${instanceName}`);
    await mkdir(dataDirectory, { mode: 0o700 });
    const tools = await Tools.create({ dataDirectory: cache, initScript });
    const namespace = namespaceOf(instanceName);
    execFileSync("ip", ["netns", "add", namespace]);
    execFileSync("ip", ["-n", namespace, "link", "set", "lo", "up"]);
    const runtime = await openRuntime({ dataDirectory, instanceName, tools });
    return new ContainerHost({ dataDirectory, instanceName, runtime, rootImage, tools });
  }

  get networkNamespace(): string {
    return namespaceOf(this.instanceName);
  }

  /** Opens another runtime on the same files, as an agent that was started again has it. */
  reopen(): Promise<NspawnRuntime> {
    return openRuntime({
      dataDirectory: this.dataDirectory,
      instanceName: this.instanceName,
      tools: this.#tools,
    });
  }

  /** Returns what `agent-process.ts` needs to open a runtime on the same files. */
  processInput(): {
    dataDirectory: string;
    instanceName: string;
    tools: { dataDirectory: string; initScript: string };
  } {
    return {
      dataDirectory: this.dataDirectory,
      instanceName: this.instanceName,
      tools: { dataDirectory: cache, initScript },
    };
  }

  async request(command: string, overrides: Partial<StartRequest> = {}): Promise<StartRequest> {
    const projectId = overrides.projectId ?? "prj_test";
    const versionNumber = overrides.versionNumber ?? 1;
    const version = join(this.dataDirectory, "projects", projectId, "versions", String(versionNumber));
    const uidBase = 2_000_000_000 + (process.pid % 1000) * 65_536;
    await mkdir(join(version, "code"), { recursive: true });
    const install = existsSync(join(version, "install"))
      ? [{ directory: join(version, "install"), uidBase }]
      : [];
    return {
      projectId,
      versionNumber,
      runNumber: ++this.#runNumber,
      language: "node",
      imageLayers: [this.#rootImage],
      appLayers: [...install, { directory: join(version, "code"), uidBase: 0 }],
      networkNamespace: this.networkNamespace,
      resolvConf: "nameserver 169.254.1.1\n",
      bindReadOnly: [],
      uidBase,
      hostname: "svc-test",
      environment: { PATH: "/usr/local/bin:/usr/bin:/bin" },
      command,
      logDirectory: this.#logDirectory(projectId, "app"),
      limits: { memoryMb: 128, cpuPercent: null, cpuWeight: 100, pids: 64 },
      ...overrides,
    };
  }

  async installRequest(command: string, overrides: Partial<InstallRequest> = {}): Promise<InstallRequest> {
    const { runNumber: _, ...request } = await this.request(command);
    const { projectId, versionNumber } = request;
    return {
      ...request,
      appLayers: request.appLayers.slice(-1),
      logDirectory: this.#logDirectory(projectId, "install"),
      resultDirectory: join(
        this.dataDirectory,
        "projects",
        projectId,
        "versions",
        String(versionNumber),
        "install",
      ),
      timeoutMs: 60_000,
      ...overrides,
    };
  }

  async writeCode(name: string, text: string, projectId = "prj_test", versionNumber = 1): Promise<void> {
    const directory = join(
      this.dataDirectory,
      "projects",
      projectId,
      "versions",
      String(versionNumber),
      "code",
    );
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, name), text);
  }

  async start(command: string, overrides: Partial<StartRequest> = {}): Promise<Instance> {
    return this.runtime.start(await this.request(command, overrides));
  }

  async exitOf(instance: Instance): Promise<InstanceExit> {
    return until(
      () =>
        this.ended.find(
          (each) => each.projectId === instance.projectId && each.runNumber === instance.runNumber,
        )?.exit,
    );
  }

  /** Runs a command to its end and answers with its exit and the lines of this run. */
  async run(command: string, overrides: Partial<StartRequest> = {}): Promise<RunResult> {
    const projectId = overrides.projectId ?? "prj_test";
    const before = await this.log(projectId);
    const instance = await this.start(command, overrides);
    const exit = await this.exitOf(instance);
    const after = await this.log(projectId);
    await this.runtime.forget(instance);
    return {
      ...exit,
      stdout: after.stdout.slice(before.stdout.length),
      stderr: after.stderr.slice(before.stderr.length),
    };
  }

  async log(
    projectId = "prj_test",
    section: "app" | "install" = "app",
    set: LogSet = "first",
  ): Promise<{ stdout: string[]; stderr: string[] }> {
    const [stdout, stderr] = outputDirectories(this.#logDirectory(projectId, section), set);
    return { stdout: await readLines(stdout), stderr: await readLines(stderr) };
  }

  /** Returns the host pids of all that runs in this host's cgroups. */
  async pids(): Promise<number[]> {
    const found: number[] = [];
    for (const file of cgroupFiles(this.instanceName)) {
      found.push(...(await readFile(file, "utf8").catch(() => "")).split("\n").filter(Boolean).map(Number));
    }
    return [...new Set(found)].sort((a, b) => a - b);
  }

  /** Stops and forgets whatever is there: what a test that failed has left would fail the next ones too. */
  async endAll(): Promise<void> {
    for (const instance of await this.runtime.instances()) {
      await this.runtime.stop(instance.projectId, { graceMs: 0 });
      await this.runtime.forget(instance);
    }
  }

  /** Removes the projects, then fails if anything of them is still there. */
  async [Symbol.asyncDispose](): Promise<void> {
    const projects = await readdir(join(this.dataDirectory, "projects")).catch(() => []);
    for (const projectId of projects) await this.runtime.remove(projectId);
    await this.runtime.close();
    const pids = await this.pids();
    const groups = cgroupFiles(this.instanceName);
    const mounts = (await readFile("/proc/self/mounts", "utf8"))
      .split("\n")
      .filter((line) => line.includes(this.dataDirectory));
    const left = await readdir(this.dataDirectory, { recursive: true });
    // A test that has failed leaves what it started; it goes before that is told.
    await wipeInstance(this.instanceName);
    await rm(this.dataDirectory, { recursive: true, force: true });
    assert.deepEqual(pids, [], "processes are left over");
    assert.deepEqual(
      groups.filter((file) => !isRootGroup(file, this.instanceName)),
      [],
      "cgroups are left over",
    );
    assert.deepEqual(mounts, [], "mounts are left over");
    assert.deepEqual(
      left.filter((path) => !/^(projects|runs|logs)(\/|$)/.test(path) || /^(projects|runs)\/./.test(path)),
      [],
      "files are left over",
    );
  }

  #logDirectory(projectId: string, section: string): string {
    return join(this.dataDirectory, "logs", projectId, section);
  }
}

/** Reads all lines; again while files are renamed meanwhile, as in a flood, for a few seconds at most. */
async function readLines(directory: string, attempts = 500): Promise<string[]> {
  const files = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith(".log"));
  files.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  const texts = await Promise.all(files.map((name) => readFile(join(directory, name), "utf8"))).catch(
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === "ENOENT" && attempts > 1) return undefined; // one was full, and was renamed meanwhile
      throw error;
    },
  );
  if (texts === undefined) {
    await delay(5);
    return readLines(directory, attempts - 1);
  }
  return texts
    .join("")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.slice(line.indexOf(" ") + 1));
}

export function isSystemd(): boolean {
  return readFileSync("/proc/1/comm", "utf8").trim() === "systemd";
}

/** Returns the unit that holds an agent's projects on a host run by systemd. */
export function unitName(instanceName: string): string {
  return `tijolo-${instanceName}-projects.service`;
}

/** Returns the first value that is neither undefined, null nor false. */
export async function until<T>(
  find: () => T | Promise<T>,
  deadlineMs = defaultDeadlineMs,
): Promise<Exclude<T, undefined | null | false>> {
  const endAt = performance.now() + Math.max(deadlineMs, leastWaitMs);
  for (;;) {
    const found = await find();
    if (found !== undefined && found !== null && found !== false)
      return found as Exclude<T, undefined | null | false>;
    if (performance.now() > endAt)
      throw new Error(`not within ${deadlineMs} ms: ${find.toString().slice(0, 200)}`);
    await delay(10);
  }
}

/**
 * A minimal Debian with a shell, perl and util-linux, kept with the images of the tests, unless
 * TIJOLO_TEST_ROOTFS names one.
 */
async function testRootImage(): Promise<string> {
  const prebuilt = process.env.TIJOLO_TEST_ROOTFS;
  if (prebuilt !== undefined && prebuilt !== "") return prebuilt;
  const store = await openKeptImages({
    findRecipe: (language, version) => ({
      language,
      version,
      sources: [{ kind: "debian", why: "", layers: [debianBase("trixie")] }],
    }),
  });
  try {
    const { layers } = await store.ensure({ language: "node", version: "24", systemPackages: [] });
    const [root] = layers;
    assert.ok(root !== undefined);
    return root;
  } finally {
    await store.close();
  }
}

function openRuntime(options: {
  dataDirectory: string;
  instanceName: string;
  tools: Tools;
}): Promise<NspawnRuntime> {
  const silent = () => {};
  return NspawnRuntime.create({
    ...options,
    logger: { info: silent, warn: silent, error: console.error },
    clock: { now: () => new Date() },
  });
}

function namespaceOf(instanceName: string): string {
  return `tijolo-${instanceName}`;
}

/** Returns `cgroup.procs` of every group of the instance, in all hierarchies, deepest first. */
function cgroupFiles(instanceName: string): string[] {
  return findGroups((name) => name.startsWith(`tijolo-${instanceName}`))
    .filter((group) => basename(group) !== "holder") // it belongs to the unit
    .map((group) => join(group, "cgroup.procs"));
}

/** The agent's own group: it stays when the last project is gone. Under systemd it is that of a unit. */
function isRootGroup(procsFile: string, instanceName: string): boolean {
  return (
    procsFile.endsWith(`/tijolo-${instanceName}/cgroup.procs`) ||
    procsFile.endsWith(`/${unitName(instanceName)}/cgroup.procs`)
  );
}
