/**
 * Watches each run of a site until it is ready for visits, and writes to its log what to change when it is
 * not in its first minute. A run is ready when it listens where visits arrive, and answers for its health
 * path where its owner has set one.
 */

import { startingMs, type Language, type OwnerMessage, type ProjectSettings } from "@tijolo/protocol";
import type { Logger } from "pino";
import { isHealthy, type SiteHealth } from "./ask-health.ts";
import type { Listener } from "./listeners.ts";

/**
 * Result of watching a site's port: `reachable` when it is ready for visits; otherwise the message that says
 * what keeps visits from it.
 */
export type PortSeen = "reachable" | OwnerMessage;

export interface PortWatchOptions {
  /** Returns whether a connection to the project's port can be made. */
  isListening: (projectId: string, port: number) => Promise<boolean>;
  /** Returns what the project's programs listen on; undefined where that cannot be told. */
  readListeners: (projectId: string) => Promise<Listener[] | undefined>;
  isRunning: (projectId: string, runNumber: number) => boolean;
  /** Returns what the site is asked for now, so that a changed path counts at the next try. */
  findHealth: (projectId: string) => SiteHealth | undefined;
  /** Resolves with the status of the answer; null without one. */
  askHealth: (projectId: string, port: number, health: SiteHealth) => Promise<number | null>;
  /**
   * Called once for each run that is ready. For a run that is not ready in time, called with the message
   * first.
   */
  onSeen: (projectId: string, runNumber: number, seen: PortSeen) => void;
  say: (projectId: string, message: OwnerMessage) => Promise<void>;
  logger: Pick<Logger, "warn">;
  /** Milliseconds that a program has to listen. Default: 60 s. */
  afterMs?: number;
}

/** Settings that say where a site is expected to listen; a static site has no port. */
type WatchedSite = Pick<ProjectSettings, "language" | "port">;

interface Watch {
  runNumber: number;
  language: Language;
  port: number;
  /** Age of the run in milliseconds when the watch began. */
  ageMs: number;
  beganMs: number;
  /** The last answer for the health path; undefined while nothing listens, and without such a path. */
  unhealthy: { path: string; status: number | null } | undefined;
  /** True when an earlier agent has already written to the log that the site is not ready. */
  isTold: boolean;
  hasBeenLate: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** Pauses between two tries, by the age of the run: most sites listen within a second. */
const pauses = [
  { untilMs: 2_000, pauseMs: 100 },
  { untilMs: 10_000, pauseMs: 250 },
  { untilMs: startingMs, pauseMs: 1_000 },
];
const longestPauseMs = 5_000;

export class PortWatch implements Disposable {
  readonly #options: PortWatchOptions;
  /** Watches by project id. A project has at most one, for its newest run. */
  readonly #watches = new Map<string, Watch>();

  constructor(options: PortWatchOptions) {
    this.#options = options;
  }

  /**
   * Watches a run, and no longer the project's earlier one. Does nothing for a bot and for a static site.
   * `ageMs`: how long the run has lasted already. The watch ends with the run, and as soon as the site is
   * ready.
   */
  watch(projectId: string, runNumber: number, { language, port }: WatchedSite, ageMs = 0): void {
    this.#end(projectId);
    if (port === null || language === "static") return;
    const watch: Watch = {
      runNumber,
      language,
      port,
      ageMs,
      beganMs: performance.now(),
      unhealthy: undefined,
      isTold: ageMs >= this.#afterMs,
      hasBeenLate: false,
      timer: undefined,
    };
    this.#watches.set(projectId, watch);
    this.#arm(projectId, watch, 0);
  }

  [Symbol.dispose](): void {
    for (const projectId of this.#watches.keys()) this.#end(projectId);
  }

  get #afterMs(): number {
    return this.#options.afterMs ?? startingMs;
  }

  #end(projectId: string): void {
    clearTimeout(this.#watches.get(projectId)?.timer);
    this.#watches.delete(projectId);
  }

  #arm(projectId: string, watch: Watch, pauseMs: number): void {
    watch.timer = setTimeout(() => {
      this.#look(projectId, watch).catch((error: unknown) => {
        this.#options.logger.warn({ err: error, projectId }, "what a site listens on could not be read");
        if (this.#isCurrent(projectId, watch)) this.#arm(projectId, watch, longestPauseMs);
      });
    }, pauseMs);
  }

  async #look(projectId: string, watch: Watch): Promise<void> {
    const { isRunning, onSeen } = this.#options;
    const { runNumber } = watch;
    if (!isRunning(projectId, runNumber)) return this.#end(projectId);
    const isReady = await this.#isReady(projectId, watch);
    if (!this.#isCurrent(projectId, watch)) return;
    if (!isRunning(projectId, runNumber)) return this.#end(projectId);
    if (isReady) {
      this.#end(projectId);
      return onSeen(projectId, runNumber, "reachable");
    }
    const ageMs = watch.ageMs + performance.now() - watch.beganMs;
    if (!watch.hasBeenLate && ageMs >= this.#afterMs) {
      watch.hasBeenLate = true;
      await this.#tell(projectId, watch);
      if (!this.#isCurrent(projectId, watch)) return;
    }
    const pauseMs = pauses.find(({ untilMs }) => ageMs < untilMs)?.pauseMs ?? longestPauseMs;
    this.#arm(projectId, watch, watch.hasBeenLate ? pauseMs : Math.min(pauseMs, this.#afterMs - ageMs));
  }

  async #isReady(projectId: string, watch: Watch): Promise<boolean> {
    const { isListening, findHealth, askHealth } = this.#options;
    watch.unhealthy = undefined;
    if (!(await isListening(projectId, watch.port))) return false;
    const health = findHealth(projectId);
    if (health === undefined) return true;
    const status = await askHealth(projectId, watch.port, health);
    if (isHealthy(status)) return true;
    watch.unhealthy = { path: health.path, status };
    return false;
  }

  async #tell(projectId: string, { runNumber, language, port, unhealthy, isTold }: Watch): Promise<void> {
    const { readListeners, isRunning, onSeen, say } = this.#options;
    const listeners = (await readListeners(projectId)) ?? [];
    if (!isRunning(projectId, runNumber)) return;
    const message: OwnerMessage | undefined =
      unhealthy === undefined
        ? explainListeners(listeners, { language, port })
        : { code: "site_unhealthy", ...unhealthy };
    if (message === undefined) return; // it began to listen meanwhile
    if (!isTold) await say(projectId, message);
    onSeen(projectId, runNumber, message);
  }

  #isCurrent(projectId: string, watch: Watch): boolean {
    return this.#watches.get(projectId) === watch;
  }
}

/** Returns what keeps visits from the site; undefined when it can be reached on its port. */
export function explainListeners(
  listeners: readonly Listener[],
  site: { language: Language; port: number },
): OwnerMessage | undefined {
  const onPort = listeners.filter(({ port }) => port === site.port);
  if (onPort.some(({ on }) => on !== "loopback")) return undefined;
  if (onPort.length > 0) return { code: "site_on_loopback", ...site };
  const ports = [...new Set(listeners.map(({ port }) => port))].sort((a, b) => a - b).slice(0, 5);
  return ports.length === 0
    ? { code: "site_without_port", ...site }
    : { code: "site_on_other_ports", ...site, ports };
}
