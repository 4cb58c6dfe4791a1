/**
 * Keeps one nginx running in a namespace of its own, with a root of its own and without any right: takes over
 * the running one, and replaces one of another revision.
 */

import { createHash } from "node:crypto";
import { access, mkdir, readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { noJitter } from "@tijolo/protocol";
import { poll } from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import type { ServiceGroup } from "../host/cgroups/service-group.ts";
import { execDetached, hostEnvironment } from "../host/exec.ts";
import { writeDurably } from "../host/files/durable-file.ts";
import { KeptWork } from "../host/kept-work.ts";
import { systemCallNumber } from "../host/sandbox/seccomp.ts";
import { staticsPort } from "../network/instance-names.ts";
import {
  deleteNamespaces,
  hasNamespace,
  makeNamespaces,
  namespacePath,
  speedUpNamespace,
  type Namespace,
} from "../network/namespace.ts";
import {
  findProcessRecord,
  isAlive,
  removeProcessRecord,
  startTicksOf,
  type ProcessRecord,
} from "../network/resolver/process-record.ts";
import type { FoundNginx } from "./find-nginx.ts";
import { nginxConfiguration } from "./nginx-configuration.ts";

/** User and group of nginx, on every machine the same; the gateway's HAProxy has the one before. */
export const nginxId = 70_055;

export interface NginxProcessOptions {
  /** Directory of its configuration, its record and its log. */
  directory: string;
  namespace: Namespace;
  /** Group where nginx outlives the agent, and in which all of it ends. */
  group: ServiceGroup;
  findNginx: () => Promise<FoundNginx>;
  /** Called with each process that serves from now on, before it is left to itself. */
  onServing: (pid: number) => Promise<void>;
  logger: Pick<Logger, "info" | "warn">;
}

const script = join(import.meta.dirname, "serve-apart.pl");
const mostWorkers = 4;
const readyDeadlineMs = 25_000;
const lookEveryMs = 1_000;
const retryPauses = { minMs: 1_000, maxMs: 60_000, random: noJitter };
const quiet = ["--no-new-privs", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"];

export class NginxProcess {
  readonly #options: NginxProcessOptions;
  readonly #work: KeptWork;
  #served: number | undefined;

  constructor(options: NginxProcessOptions) {
    const text = "the server of static sites could not be started; it will be tried again";
    this.#options = options;
    this.#work = new KeptWork({
      work: () => this.#ensure(),
      everyMs: lookEveryMs,
      pauses: retryPauses,
      onFailure: (error) => options.logger.warn({ err: error }, text),
    });
  }

  /** Resolves once one serves, or could not be started: then it is tried again, until {@link close}. */
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

  /** Ends it, and removes its namespace. */
  async stop(): Promise<void> {
    await this.close();
    await this.#options.group.remove();
    removeProcessRecord(this.#options.directory);
    await deleteNamespaces([this.#options.namespace]);
  }

  async #ensure(): Promise<void> {
    const pid = (await this.#isCurrent()) ? this.pid : await this.#replace();
    if (pid === undefined || pid === this.#served) return;
    await this.#options.onServing(pid);
    this.#served = pid;
  }

  async #isCurrent(): Promise<boolean> {
    const { namespace } = this.#options;
    const record = this.#record();
    if (record === undefined || !isAlive(record) || !(await hasNamespace(namespace))) return false;
    if (record.pid === this.#served) return true;
    const { revision } = await this.#wanted();
    return record.address === namespace.address && record.revision === revision;
  }

  async #replace(): Promise<number> {
    const { directory, namespace, group, logger } = this.#options;
    const previous = this.#record();
    if (previous !== undefined && !isAlive(previous))
      logger.warn(
        { pid: previous.pid, log: await this.#lastWords() },
        "the server of static sites has ended; starting another",
      );
    await group.remove(); // also what a killed one left
    // A namespace without a record may be half made.
    if (
      previous === undefined ||
      previous.address !== namespace.address ||
      !(await hasNamespace(namespace))
    ) {
      removeProcessRecord(directory);
      await deleteNamespaces([namespace]);
      await makeNamespaces([namespace]);
      await speedUpNamespace(namespace);
    }
    return this.#launch();
  }

  async #launch(): Promise<number> {
    const { directory, namespace, group } = this.#options;
    const { configuration, revision, nginx } = await this.#wanted();
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeDurably(join(directory, "nginx.conf"), configuration);
    await access(namespacePath(namespace.name));
    const calls = (["unshare", "mount", "umount2", "pivot_root"] as const).map((name) =>
      String(systemCallNumber(name, process.arch)),
    );
    const record = `{"pid":PID,"startTicks":TICKS,"revision":"${revision}","namespace":"${namespace.name}","address":"${namespace.address}"}`;
    const joinFiles = (await group.open()).join(":");
    const enter = ["nsenter", `--net=${namespacePath(namespace.name)}`];
    const apart = ["perl", script, ...calls, directory, nginx.tree ?? "", String(nginxId), record, joinFiles];
    const asUser = ["setpriv", `--reuid=${nginxId}`, `--regid=${nginxId}`, ...quiet, "--"];
    const program = [...nginx.argv, "-e", "stderr", "-p", ".", "-c", "nginx.conf"];
    const pid = await execDetached([...enter, ...apart, ...asUser, ...program], { env: hostEnvironment });
    const hasLeft = () =>
      access(`/proc/${pid}/root/left`).then(
        () => true,
        () => false,
      );
    const serves = async () => {
      if (await hasLeft()) return true;
      if (startTicksOf(pid) !== undefined) return false;
      throw new Error(`nginx ended at once: ${await this.#lastWords()}`);
    };
    if (await poll(serves, { timeoutMs: readyDeadlineMs, everyMs: 5 })) return pid;
    await group.remove();
    throw new Error(`nginx did not serve within ${readyDeadlineMs} ms: ${await this.#lastWords()}`);
  }

  async #wanted(): Promise<{ configuration: string; revision: string; nginx: FoundNginx }> {
    const nginx = await this.#options.findNginx();
    const workers = Math.min(mostWorkers, availableParallelism());
    const { address } = this.#options.namespace;
    const configuration = await nginxConfiguration({ address, port: staticsPort, workers });
    const hash = createHash("sha256").update(configuration).update(JSON.stringify(nginx));
    const revision = hash
      .update(await readFile(script))
      .digest("hex")
      .slice(0, 16);
    return { configuration, revision, nginx };
  }

  #record(): ProcessRecord | undefined {
    return findProcessRecord(this.#options.directory);
  }

  async #lastWords(): Promise<string> {
    const text = await readFile(join(this.#options.directory, "nginx.log"), "utf8").catch(() => "");
    return text.trim().slice(-2_000);
  }
}
