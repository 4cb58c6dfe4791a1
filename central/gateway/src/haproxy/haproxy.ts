/**
 * Runs HAProxy beside this program: starts it, adopts one that an earlier program started, replaces it when
 * its configuration is another, and starts it again when it ends.
 */

import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CentralServers } from "@tijolo/protocol";
import { poll, SerialQueue } from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import { run, startApart } from "../exec.ts";
import { serversOf, type FarCentral } from "./central-server.ts";
import { configurationText } from "./configuration.ts";
import { writeErrorFiles } from "./error-files.ts";
import { pagesBackends } from "./failed-visits.ts";
import { programVersion } from "./program-version.ts";
import { RuntimeApi } from "./runtime-api.ts";

/**
 * User of HAProxy, on every machine the same: neither Debian nor systemd assigns it, and users of projects
 * begin above it. The agent's resolver has the one before.
 */
const haproxyUid = 70_054;
const startTimeoutMs = 30_000;
const watchEveryMs = 1_000;
/** Looks in a row without an answer after which HAProxy counts as ended. */
const silentLooks = 2;

export interface HaproxyOptions {
  argv: readonly string[];
  runDirectory: string;
  httpListen: string;
  httpsListen: string | null;
  hasHttp3: boolean;
  trustedProxies: readonly string[];
  /** Default: false. */
  hasProxyProtocol?: boolean;
  /** Default: central is on this machine, or in its network. */
  farCentral?: FarCentral | null;
  programSilenceMs?: number;
  /** Called when another HAProxy has begun to serve. The one before may have visits under way. */
  onStart?: () => void;
  logger: Pick<Logger, "info" | "warn" | "error">;
}

export class Haproxy implements AsyncDisposable {
  readonly api: RuntimeApi;
  readonly #options: HaproxyOptions;
  #central: CentralServers | undefined;
  /** Identifies the program that a start would run; "" until it has been read. */
  #version = "";
  #watch: NodeJS.Timeout | undefined;
  /** Starts and replaces HAProxy, one after the other. */
  readonly #changes = new SerialQueue();
  #missed = 0;
  #replacedPid: number | undefined;
  #isClosed = false;

  constructor(options: HaproxyOptions) {
    this.#options = options;
    this.api = new RuntimeApi(join(options.runDirectory, "api"));
  }

  /** Paths of what must be there before HAProxy serves: its maps, and the list of its certificates. */
  get files(): Record<"routes" | "secured" | "challenges" | "certificates", string> {
    const inRun = (name: string) => join(this.#options.runDirectory, name);
    return {
      routes: inRun("routes.map"),
      secured: inRun("secured.map"),
      challenges: inRun("challenges.map"),
      certificates: inRun("certificates.list"),
    };
  }

  /** Path of the socket at which it expects the proofs of names. */
  get proofsSocket(): string {
    return join(this.#options.runDirectory, "proofs");
  }

  /** User that HAProxy becomes; null: it stays this program's. */
  get uid(): number | null {
    return process.getuid?.() === 0 ? haproxyUid : null;
  }

  /** Makes the directory of sockets and pages. */
  async prepare(): Promise<void> {
    const { runDirectory } = this.#options;
    await mkdir(runDirectory, { recursive: true });
    await chmod(runDirectory, 0o711); // HAProxy's own user enters it
    await writeErrorFiles(runDirectory);
  }

  /**
   * Makes a HAProxy serve with these servers of central. Resolves with `started` for a new process, which has read the
   * map's file, and with `adopted` for one that was running.
   */
  serve(central: CentralServers): Promise<"started" | "adopted"> {
    return this.#changes.run(async () => {
      this.#central = serversOf(central, this.#options.farCentral ?? null);
      const how = await this.#ensure(this.#central);
      this.#watch ??= setInterval(() => void this.#look(), watchEveryMs).unref();
      return how;
    });
  }

  /** Replaces a HAProxy that serves by one that reads its files anew. */
  replace(): Promise<void> {
    return this.#changes.run(async () => {
      if (this.#central !== undefined && !this.#isClosed) await this.#ensure(this.#central, { isAnew: true });
    });
  }

  /** Replaces a HAProxy that serves where its program or a library has been updated since. */
  renew(): Promise<void> {
    return this.#changes.run(async () => {
      if (this.#central !== undefined && !this.#isClosed) await this.#ensure(this.#central);
    });
  }

  /** Ends HAProxy: it serves what is under way no longer. */
  async end(): Promise<void> {
    await this[Symbol.asyncDispose]();
    const running = await this.api.info();
    if (running === undefined) return;
    process.kill(running.pid, "SIGTERM");
    await poll(async () => ((await this.api.info()) === undefined ? true : undefined), {
      timeoutMs: 5_000,
      everyMs: 50,
    });
  }

  /** Resolves with how many visits the run has now, and how many WebSockets and streams of events beside them. */
  async visitsOf(projectId: string, runNumber: number): Promise<{ visits: number; streams: number }> {
    const countIn = async (table: string) => {
      const shown = await this.api.ask(`show table ${table} key ${projectId}.${runNumber}`);
      return Number(/conn_cur=(\d+)/.exec(shown)?.[1] ?? 0);
    };
    return { visits: await countIn("visits"), streams: await countIn("streams") };
  }

  /** True while a HAProxy that was replaced ends its visits: nobody can ask it which they are. */
  get hasPredecessor(): boolean {
    return this.#replacedPid !== undefined && isAlive(this.#replacedPid);
  }

  /** Leaves HAProxy to the next program. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#watch);
    await this.#changes.idle();
  }

  async #ensure(
    central: CentralServers,
    { isAnew = false }: { isAnew?: boolean } = {},
  ): Promise<"started" | "adopted"> {
    const { argv, logger } = this.#options;
    this.#version = (await programVersion(argv)) ?? this.#version;
    const { text, description } = this.#configuration(central);
    const running = await this.api.info();
    if (running?.description === description && !isAnew) {
      await this.#setAddresses(central);
      return "adopted";
    }
    const file = join(this.#options.runDirectory, "haproxy.cfg");
    await writeFile(file, text, { mode: 0o600 });
    if (running === undefined) await this.#endStalled(file);
    await this.#start(file, description, running?.pid);
    this.#options.onStart?.();
    logger.info(
      { replaced: running?.pid ?? null },
      running === undefined ? "HAProxy serves" : "another HAProxy serves in the place of the one before",
    );
    return "started";
  }

  /**
   * The addresses of central's servers on this machine may change while HAProxy runs, so they do not count; that of
   * a central elsewhere is a setting.
   */
  #configuration(central: CentralServers): { text: string; description: string } {
    const { argv, logger: _, onStart: _onStart, farCentral = null, ...options } = this.#options;
    const { uid } = this;
    const nowhere = { host: "127.0.0.1", port: 1 };
    const textWith = (servers: CentralServers) =>
      configurationText({ ...options, uid, central: servers, farCentral });
    const counted =
      farCentral === null
        ? { ...central, pages: nowhere, api: central.api && { ...central.api, ...nowhere } }
        : central;
    const hash = createHash("sha256")
      .update(argv.join("\0"))
      .update(this.#version)
      .update(textWith(counted))
      .digest("hex")
      .slice(0, 32);
    const description = `tijolo-${hash}`;
    const text = textWith(central).replace("global\n", `global\n    description ${description}\n`);
    return { text, description };
  }

  /** Ends a HAProxy that lives and answers nothing: beside the next, it would have its share of the visitors. */
  async #endStalled(file: string): Promise<void> {
    const pid = Number(await readFile(this.#pidFile, "utf8").catch(() => "0"));
    const argv = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (!argv.split("\0").includes(file)) return;
    this.#options.logger.error({ pid }, "HAProxy answers nothing; ending it");
    process.kill(pid, "SIGKILL");
  }

  get #pidFile(): string {
    return join(this.#options.runDirectory, "haproxy.pid");
  }

  async #start(file: string, description: string, replaced: number | undefined): Promise<void> {
    const { argv, runDirectory } = this.#options;
    const checked = await run([...argv, "-c", "-f", file], { timeoutMs: startTimeoutMs });
    if (checked.code !== 0)
      throw new Error(`HAProxy refuses its configuration: ${checked.output.slice(-2_000)}`);
    const logFile = join(runDirectory, "haproxy.log");
    const handOver = replaced === undefined ? [] : ["-x", join(runDirectory, "api"), "-sf", String(replaced)];
    const pid = await startApart([...argv, "-db", "-f", file, ...handOver], logFile);
    const outcome = await poll(
      async () => {
        const { pid: answering, description: ofAnswering } = (await this.api.info()) ?? {};
        if (answering !== undefined && ofAnswering === description && answering !== replaced) {
          await writeFile(this.#pidFile, String(answering), { mode: 0o600 });
          return "serves";
        }
        return isAlive(pid) ? undefined : "ended";
      },
      { timeoutMs: startTimeoutMs, everyMs: 20 },
    );
    if (outcome === "serves") {
      this.#replacedPid = replaced;
      return;
    }
    const said = await readFile(logFile, "utf8").catch(() => "");
    throw new Error(`HAProxy did not start: ${said.trim().slice(-2_000)}`);
  }

  async #setAddresses({ pages, api }: CentralServers): Promise<void> {
    if (this.#options.farCentral != null) return;
    for (const backend of pagesBackends)
      await this.api.ask(`set server ${backend}/central addr ${pages.host} port ${pages.port}`);
    if (api !== null) await this.api.ask(`set server api/central addr ${api.host} port ${api.port}`);
  }

  /** Starts HAProxy again where nothing answers any more. */
  async #look(): Promise<void> {
    if (this.#isClosed) return;
    if ((await this.api.info()) !== undefined) {
      this.#missed = 0;
      return;
    }
    this.#missed += 1;
    if (this.#missed < silentLooks || this.#isClosed) return;
    this.#missed = 0;
    await this.#changes
      .run(async () => {
        if (this.#isClosed || this.#central === undefined || (await this.api.info()) !== undefined) return;
        this.#options.logger.error({}, "HAProxy has ended; starting another");
        await this.#ensure(this.#central);
      })
      .catch((error: unknown) =>
        this.#options.logger.error({ err: error }, "HAProxy could not be started again"),
      );
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
