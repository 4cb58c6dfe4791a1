/**
 * Puts one project on a simulated host whose files are real: its own disk is an image, as it is on a host with
 * containers, or all of the host's disk is a small one. Either can be filled.
 */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Assignment } from "@tijolo/protocol";
import { pino } from "pino";
import { ImageDisks } from "../../../../agent/src/disk/image-disks.ts";
import { PlainDisks } from "../../../../agent/src/disk/plain-disks.ts";
import type { ProjectDisks } from "../../../../agent/src/disk/project-disks.ts";
import type { Ledger } from "../../../../agent/src/ledger/ledger.ts";
import { ReplacedFiles } from "../../../../agent/src/versions/merge/replaced-files.ts";
import { ProjectHost, version } from "../../../support/projects/project-host.ts";
import { rawZip } from "../../../support/archives/raw-zip.ts";
import { fillLargeDisk } from "../../../support/machine/small-disk.ts";
import { until } from "../../../support/until.ts";
import { unmountBelow } from "./project-disk.ts";

/** Size of the disk: more than an install asks a host to have free. */
const hostDiskMb = 400;
const diskMb = 64;
const silent = { info() {}, warn() {}, error() {} };

export type Fillable = "the project's disk" | "the host's disk";

/** Returns what is wanted: an upload of this number, for a small disk. */
export function smallVersion(
  number: number,
  settings: Parameters<typeof version>[1] = {},
  changes: Partial<Assignment> = {},
): Assignment {
  return version(number, settings, { diskMb, ...changes });
}

export class FillableHost implements AsyncDisposable {
  readonly project: ProjectHost;
  /** True once the disk was filled. */
  isFilled = false;
  /** Number of steps of the agent that failed and are tried again. */
  failures = 0;
  readonly #which: Fillable;
  readonly #disks: ProjectDisks;
  /** Steps that pass before the disk is filled; infinite until a test says it. */
  #stepsLeft = Infinity;

  private constructor(project: ProjectHost, which: Fillable, disks: ProjectDisks) {
    this.project = project;
    this.#which = which;
    this.#disks = disks;
  }

  static async create(t: TestContext, which: Fillable): Promise<FillableHost> {
    const project = await ProjectHost.create(t);
    const { dataDirectory } = project;
    if (which === "the host's disk") {
      const image = `${dataDirectory}.img`;
      execFileSync("mkfs.ext4", ["-q", "-m", "0", image, `${hostDiskMb}M`], { stdio: "pipe" });
      execFileSync("mount", ["-o", "loop", image, dataDirectory]);
      return new FillableHost(project, which, new PlainDisks(dataDirectory));
    }
    return new FillableHost(project, which, await ImageDisks.create({ dataDirectory, logger: silent }));
  }

  /** Starts the agent. Archives have a program and a data file, with the version's hash in both. */
  async startAgent(wanted: Assignment): Promise<void> {
    const { dataDirectory } = this.project;
    const clock = { now: () => Date.now() };
    const logger = pino({ level: "silent" });
    logger.error = () => void this.failures++;
    await this.project.startAgent(wanted, {
      logger,
      disks: this.#disks,
      replacedFiles: new ReplacedFiles({ dataDirectory, clock, disks: this.#disks, logger }),
      onLedger: (ledger) => this.#counting(ledger),
      fetchArchive: async ({ sha256 }, target) => {
        await writeFile(target, archiveOf(sha256));
        this.#pass();
      },
      images: {
        ensure: async () => {
          this.#pass();
          return { layers: [], environment: {} };
        },
      },
    });
  }

  /**
   * Fills the disk before the n-th step from now on: a word to the ledger, a fetched archive, a found image.
   */
  fillAt(step: number): void {
    this.#stepsLeft = step;
  }

  makeRoom(): Promise<void> {
    return rm(this.#ballast, { force: true });
  }

  /** Writes what a program writes over a file that its upload brought. */
  async writeData(content: string): Promise<void> {
    const own = join(this.#files, "disk/app");
    await mkdir(own, { recursive: true });
    await writeFile(join(own, "data.db"), content);
  }

  /** Returns all contents of the data file that the project has written, or that were set aside. */
  async dataContents(): Promise<string[]> {
    const replaced = join(this.#files, "replaced");
    const sets = await readdir(replaced).catch(() => []);
    const places = [join(this.#files, "disk/app"), ...sets.map((name) => join(replaced, name))];
    const found = await Promise.all(
      places.map((place) => readFile(join(place, "data.db"), "utf8").catch(() => null)),
    );
    return found.filter((content) => content !== null);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { dataDirectory, machine } = this.project;
    await this.project.stopAgent();
    machine.reboot();
    await this.#disks[Symbol.asyncDispose]();
    await unmountBelow(dataDirectory);
    // A mount that has just ended may have the directory for another moment.
    await until(() => rm(dataDirectory, { recursive: true, force: true }).then(() => true));
    await rm(`${dataDirectory}.img`, { force: true });
  }

  get #files(): string {
    const { dataDirectory, worker } = this.project;
    return join(dataDirectory, "projects", worker.projectId);
  }

  get #ballast(): string {
    return join(this.#which === "the host's disk" ? this.project.dataDirectory : this.#files, "ballast");
  }

  #counting(ledger: Ledger): Ledger {
    return {
      ...ledger,
      saveRecord: (...args) => {
        this.#pass();
        ledger.saveRecord(...args);
      },
    };
  }

  #pass(): void {
    if (--this.#stepsLeft !== 0) return;
    this.isFilled = true;
    fillLargeDisk(this.#ballast);
  }
}

function archiveOf(sha256: string): Buffer {
  const content = createHash("sha256").update(sha256).digest("hex");
  return rawZip([
    { name: "index.js", content },
    { name: "data.db", content },
  ]);
}
