/**
 * Keeps one resolver process running in its namespace: takes over the running one, and replaces one of
 * another revision.
 */

import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { noJitter } from "@tijolo/protocol";
import { poll } from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import { execDetached, hostEnvironment } from "../../host/exec.ts";
import { KeptWork } from "../../host/kept-work.ts";
import { systemCallNumber } from "../../host/sandbox/seccomp.ts";
import type { ServiceGroup } from "../../host/cgroups/service-group.ts";
import { namespacePath, type Namespace } from "../namespace.ts";
import { findProcessRecord, isAlive, startTicksOf, type ProcessRecord } from "./process-record.ts";
import { programRevision } from "./program-revision.ts";
import { makeZoneDirectory } from "./zone-file.ts";

export interface ResolverProcessOptions {
  /** Directory of its zone, its record and its log. */
  directory: string;
  /** Name of the instance that owns the process; set in its environment. */
  instanceName: string;
  namespace: Namespace;
  /**
   * Group where the resolver outlives the agent whatever happens to the agent's own group. Default: it stays
   * in the agent's group.
   */
  group?: ServiceGroup;
  logger: Pick<Logger, "info" | "warn">;
}

const program = join(import.meta.dirname, "resolver-program.ts");
const leaveHostScript = join(import.meta.dirname, "leave-host.pl");
const nodeFlags = [
  "--disable-warning=ExperimentalWarning",
  "--max-semi-space-size=1",
  "--max-old-space-size=64",
  "--v8-pool-size=1",
];
/**
 * Milliseconds that a resolver has to start. It may need many on a machine that boots with all its projects. One
 * that ends before it serves is noticed at once, whatever this is.
 */
const readyDeadlineMs = 60_000;
const endDeadlineMs = 7_000;
const lookEveryMs = 1_000;
/** Pauses between restarts; the one resolver of this host competes with no other for what it needs. */
const retryPauses = { minMs: 1_000, maxMs: 60_000, random: noJitter };

export class ResolverProcess {
  readonly #options: ResolverProcessOptions;
  readonly #work: KeptWork;
  /** Revision of the files at the first request: an upgrade beside an agent never starts half. */
  #revision: Promise<string> | undefined;
  /** Pid of the process that was last moved into the group, or could not be. */
  #grouped: number | undefined;

  constructor(options: ResolverProcessOptions) {
    const text = "the resolver of projects could not be started; it will be tried again";
    this.#options = options;
    this.#work = new KeptWork({
      work: () => this.#ensure(),
      everyMs: lookEveryMs,
      pauses: retryPauses,
      onFailure: (error) => options.logger.warn({ err: error }, text),
    });
  }

  /**
   * Resolves once a process of the current revision serves, and keeps one running until {@link close}.
   * Failures are logged and tried again.
   */
  keep(): Promise<void> {
    return this.#work.keep();
  }

  /** Pid of the process that serves. */
  get pid(): number | undefined {
    const record = this.#record();
    return record !== undefined && isAlive(record) ? record.pid : undefined;
  }

  /** Releases the process, which goes on. */
  close(): Promise<void> {
    return this.#work.close();
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    await this.close();
    const record = this.#record();
    if (record !== undefined) await end(record, "SIGKILL");
    await this.#options.group?.remove();
  }

  async #ensure(): Promise<void> {
    await this.#replaceUnlessCurrent();
    await this.#moveIntoGroup();
  }

  async #replaceUnlessCurrent(): Promise<void> {
    const { namespace, logger } = this.#options;
    const previous = this.#record();
    const isThere = previous !== undefined && isAlive(previous);
    if (isThere && previous.namespace === namespace.name && previous.address === namespace.address) {
      if (previous.revision === (await this.#currentRevision())) return;
    }
    if (previous !== undefined && !isThere)
      logger.warn(
        { pid: previous.pid, log: await this.#lastWords() },
        "the resolver of projects has ended; starting another",
      );
    await this.#launch();
    if (isThere) await end(previous, "SIGTERM");
  }

  /** Moves the process into the group, also one that an earlier agent has started in its own group. */
  async #moveIntoGroup(): Promise<void> {
    const { group, logger } = this.#options;
    const { pid } = this;
    if (group === undefined || pid === undefined || pid === this.#grouped) return;
    this.#grouped = pid;
    await group
      .join(pid)
      .catch((error: unknown) =>
        logger.warn({ err: error, pid }, "the resolver of projects stays in the agent's own control group"),
      );
  }

  async #launch(): Promise<void> {
    const { directory, instanceName, namespace } = this.#options;
    await makeZoneDirectory(directory);
    await access(namespacePath(namespace.name));
    const revision = await this.#currentRevision();
    const enter = [
      "nsenter",
      `--net=${namespacePath(namespace.name)}`,
      "setpriv",
      "--no-new-privs",
      "--inh-caps=-all",
    ];
    const calls = (["unshare", "mount", "umount2", "pivot_root"] as const).map((name) =>
      String(systemCallNumber(name, process.arch)),
    );
    const node = [
      process.execPath,
      ...nodeFlags,
      program,
      directory,
      namespace.address,
      namespace.name,
      revision,
    ];
    const argv = [...enter, "perl", leaveHostScript, ...calls, directory, ...node];
    const env = {
      ...hostEnvironment,
      UV_THREADPOOL_SIZE: "1",
      TIJOLO_AGENT_NAME: instanceName,
      TIJOLO_DATA_DIRECTORY: directory,
    };
    const pid = await execDetached(argv, { env });
    const serves = async () => {
      const record = this.#record();
      if (record?.pid === pid && isAlive(record)) return true;
      if (startTicksOf(pid) !== undefined) return false;
      throw new Error(`the resolver ended at once: ${await this.#lastWords()}`);
    };
    if (await poll(serves, { timeoutMs: readyDeadlineMs, everyMs: 5 })) return;
    process.kill(pid, "SIGKILL");
    throw new Error(`the resolver did not serve within ${readyDeadlineMs} ms`);
  }

  #currentRevision(): Promise<string> {
    return (this.#revision ??= programRevision());
  }

  #record(): ProcessRecord | undefined {
    return findProcessRecord(this.#options.directory);
  }

  async #lastWords(): Promise<string> {
    const text = await readFile(join(this.#options.directory, "resolver.log"), "utf8").catch(() => "");
    return text.trim().slice(-2_000);
  }
}

/** Ends a process and resolves when it is gone; one that ignores SIGTERM is killed. */
async function end(record: ProcessRecord, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  for (const each of new Set([signal, "SIGKILL"] as const)) {
    if (isAlive(record)) process.kill(record.pid, each);
    await poll(() => !isAlive(record), { timeoutMs: endDeadlineMs, everyMs: 10 });
  }
  if (isAlive(record)) throw new Error(`the resolver's process ${record.pid} cannot be killed`);
}
