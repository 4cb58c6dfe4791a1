/**
 * Serves the static sites of this host by an nginx that outlives the agent: which sites, with which files. A
 * site is switched to other files by a rename, so that each visit gets those of one version.
 */

import { randomBytes } from "node:crypto";
import { lstat, mkdir, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { SerialQueue } from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import { z } from "zod";
import type { ServiceGroup } from "../host/cgroups/service-group.ts";
import { exec } from "../host/exec.ts";
import { writeDurably } from "../host/files/durable-file.ts";
import { removeTree } from "../host/files/trees.ts";
import { systemCallNumber } from "../host/sandbox/seccomp.ts";
import { staticsPort } from "../network/instance-names.ts";
import type { Namespace } from "../network/namespace.ts";
import type { FoundNginx } from "./find-nginx.ts";
import { NginxProcess } from "./nginx-process.ts";
import { treeName, treePattern, type StaticSite } from "./site-tree.ts";

export interface StaticSitesOptions {
  /** Directory that holds what an agent must know of the nginx and the sites of an earlier one. */
  directory: string;
  namespace: Namespace;
  group: ServiceGroup;
  findNginx: () => Promise<FoundNginx>;
  /** Called when an nginx has begun to serve the site, also after a call of {@link StaticSites.serve} is over. */
  onServed: (projectId: string) => void;
  logger: Pick<Logger, "info" | "warn">;
}

const savedSites = z.array(
  z.tuple([
    z.string(),
    z.object({ files: z.string(), compressed: z.string(), isApp: z.boolean(), isWhole: z.boolean() }),
  ]),
);
const script = join(import.meta.dirname, "change-sites.pl");
/** Time in which visits of the files before may still open one of them. */
const freeAfterMs = 5_000;
const changeTimeoutMs = 30_000;
const openTimeoutMs = 120_000;
/** Arguments of find that open what it finds to every user; a link is not followed. */
const opened = ["-exec", "chmod", "a+rX", "{}", "+"];

type Change = [
  what: "serve" | "hide" | "free",
  project: string,
  tree: string,
  files: string,
  compressed: string,
];

interface Prepared {
  projectId: string;
  tree: string;
  identity: string;
  change: Change;
}

export class StaticSites implements AsyncDisposable {
  readonly #options: StaticSitesOptions;
  readonly #process: NginxProcess;
  /** Sites to serve. */
  readonly #wanted: Map<string, StaticSite>;
  /** Directories of what nginx serves now. */
  readonly #served = new Map<string, { tree: string; identity: string }>();
  /** Pid of the nginx that {@link #served} is about. */
  #pid: number | undefined;
  #isKept = false;
  readonly #changes = new SerialQueue();
  readonly #timers = new Set<NodeJS.Timeout>();

  private constructor(options: StaticSitesOptions, wanted: Map<string, StaticSite>) {
    this.#options = options;
    this.#wanted = wanted;
    this.#process = new NginxProcess({
      ...options,
      onServing: (pid) => this.#changes.run(() => this.#takeOver(pid)),
    });
  }

  /** Goes on with the sites of an earlier agent. Resolves once nginx serves them, or cannot be started now. */
  static async open(options: StaticSitesOptions): Promise<StaticSites> {
    const sites = new StaticSites(options, await readSaved(options.directory));
    if (sites.#wanted.size > 0) await sites.#keep();
    return sites;
  }

  /** Address of the server for a site that it serves; undefined: visits go another way. */
  addressOf(projectId: string): { address: string; port: number } | undefined {
    if (!this.#served.has(projectId)) return undefined;
    return { address: this.#options.namespace.address, port: staticsPort };
  }

  /** True while it has to serve some site. */
  get isInUse(): boolean {
    return this.#wanted.size > 0;
  }

  /** Pid of nginx. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /**
   * Serves the site from these files on. Resolves once visits get them, or at once while there is no nginx: it
   * gets them when there is. Never rejects: a site that nginx does not serve goes another way.
   */
  async serve(projectId: string, site: StaticSite): Promise<void> {
    this.#wanted.set(projectId, site);
    await this.#attempt(async () => {
      await this.#save();
      if (this.#isKept) await this.#bring([projectId]);
      else void this.#keep();
    });
  }

  /** Serves the site no longer; nothing holds its files afterwards. */
  async withdraw(projectId: string): Promise<void> {
    if (!this.#wanted.delete(projectId) && !this.#served.has(projectId)) return;
    await this.#attempt(async () => {
      await this.#save();
      await this.#hide(projectId);
    });
  }

  /** Lets go of the site's files until {@link restore}: their disk is about to be unmounted. */
  async release(projectId: string): Promise<void> {
    if (this.#served.has(projectId)) await this.#attempt(() => this.#hide(projectId));
  }

  async restore(projectId: string): Promise<void> {
    if (this.#wanted.has(projectId) && this.#isKept) await this.#attempt(() => this.#bring([projectId]));
  }

  /** Withdraws the sites of all other projects. */
  async reconcile(projectIds: Iterable<string>): Promise<void> {
    const kept = new Set(projectIds);
    for (const projectId of this.#wanted.keys()) if (!kept.has(projectId)) await this.withdraw(projectId);
  }

  /** Releases nginx, which serves on; one without sites is ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.isInUse) return this.destroy();
    await this.#end(() => this.#process.close());
  }

  /** Ends nginx, and removes all of it. */
  async destroy(): Promise<void> {
    await this.#end(() => this.#process.stop());
    await removeTree(this.#options.directory);
  }

  async #end(how: () => Promise<void>): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    await how();
    await this.#changes.idle();
  }

  async #keep(): Promise<void> {
    this.#isKept = true;
    await this.#process.keep();
  }

  /** Runs `work` in turn; what fails is logged. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    await this.#changes
      .run(work)
      .catch((error: unknown) =>
        this.#options.logger.warn({ err: error }, "the sites that nginx serves could not be changed"),
      );
  }

  /** Has an nginx serve the sites: one that has begun, or one of an earlier agent, with what it serves. */
  async #takeOver(pid: number): Promise<void> {
    this.#pid = pid;
    this.#served.clear();
    const { linked, unlinked } = await treesOf(pid);
    await this.#bring([...this.#wanted.keys()]);
    const gone = [...linked.keys()].filter((projectId) => !this.#served.has(projectId));
    await this.#change([
      ...gone.map((projectId): Change => ["hide", projectId, "", "", ""]),
      ...unlinked.map(freeing),
    ]);
    this.#freeLater([...linked.values()]);
  }

  /** Serves sites as they are wanted; those that cannot be served are logged. */
  async #bring(projectIds: readonly string[]): Promise<void> {
    const { logger, onServed } = this.#options;
    const prepared: Prepared[] = [];
    for (const projectId of projectIds) {
      const site = this.#wanted.get(projectId);
      if (site === undefined) continue;
      try {
        const change = await this.#prepare(projectId, site);
        if (change !== undefined) prepared.push(change);
      } catch (error) {
        logger.warn({ err: error, projectId }, "the files of a static site cannot be served by nginx");
      }
    }
    if (prepared.length === 0 || this.#pid === undefined || this.#process.pid !== this.#pid) return;
    await this.#change(prepared.map(({ change }) => change));
    for (const { projectId, tree, identity } of prepared) {
      const before = this.#served.get(projectId);
      this.#served.set(projectId, { tree, identity });
      if (before !== undefined) this.#freeLater([before.tree]);
      onServed(projectId);
    }
  }

  /** Returns the change that serves a site; undefined when it is served already, from the same directories. */
  async #prepare(projectId: string, site: StaticSite): Promise<Prepared | undefined> {
    const files = await makeReadable(site.files);
    const compressed = await makeReadable(site.compressed).catch(() => undefined);
    const identity = JSON.stringify([site, files, compressed]);
    if (this.#served.get(projectId)?.identity === identity) return undefined;
    const tree = treeName(projectId, randomBytes(6).toString("hex"), site);
    const places = [site.files, compressed === undefined ? "" : site.compressed] as const;
    return { projectId, tree, identity, change: ["serve", projectId, tree, ...places] };
  }

  async #hide(projectId: string): Promise<void> {
    const served = this.#served.get(projectId);
    if (served === undefined) return;
    this.#served.delete(projectId);
    await this.#change([["hide", projectId, "", "", ""], freeing(served.tree)]);
  }

  #freeLater(trees: readonly string[]): void {
    if (trees.length === 0) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#attempt(() => this.#change(trees.map(freeing)));
    }, freeAfterMs).unref();
    this.#timers.add(timer);
  }

  async #change(changes: readonly Change[]): Promise<void> {
    const { pid } = this.#process;
    if (changes.length === 0 || pid === undefined || pid !== this.#pid) return;
    const calls = (["setns", "umount2"] as const).map((name) => String(systemCallNumber(name, process.arch)));
    const input = changes
      .flat()
      .map((field) => `${field}\0`)
      .join("");
    await exec(["perl", script, String(pid), ...calls], { input, timeoutMs: changeTimeoutMs });
  }

  async #save(): Promise<void> {
    const { directory } = this.#options;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeDurably(join(directory, "sites.json"), JSON.stringify([...this.#wanted]));
  }
}

function freeing(tree: string): Change {
  return ["free", "", tree, "", ""];
}

async function readSaved(directory: string): Promise<Map<string, StaticSite>> {
  const text = await readFile(join(directory, "sites.json"), "utf8").catch(() => "[]");
  try {
    return new Map(savedSites.parse(JSON.parse(text)));
  } catch {
    return new Map();
  }
}

/** Returns the directories that an nginx has, by the project that a link leads from, and those without a link. */
async function treesOf(pid: number): Promise<{ linked: Map<string, string>; unlinked: string[] }> {
  const root = `/proc/${pid}/root`;
  const linked = new Map<string, string>();
  for (const name of await readdir(join(root, "sites"))) {
    const tree = (await readlink(join(root, "sites", name)).catch(() => "")).replace("/trees/", "");
    if (treePattern.exec(tree)?.[1] === name) linked.set(name, tree);
  }
  const trees = (await readdir(join(root, "trees"))).filter((name) => treePattern.test(name));
  const used = new Set(linked.values());
  return { linked, unlinked: trees.filter((tree) => !used.has(tree)) };
}

/**
 * Lets every user read a directory whose parents only root enters. Returns what tells it from another of the
 * same path.
 */
async function makeReadable(directory: string): Promise<string> {
  const { mode, dev, ino } = await lstat(directory);
  // The top comes last: by its mode it is seen that all is done.
  if ((mode & 0o005) !== 0o005)
    await exec(["find", directory, "-depth", "(", "-type", "d", "-o", "-type", "f", ")", ...opened], {
      timeoutMs: openTimeoutMs,
    });
  return `${dev} ${ino}`;
}
