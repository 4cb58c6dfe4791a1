/**
 * Looks whether a site that was started listens where visits arrive: says when it does, and writes to its log
 * what to change when it does not for a while.
 */

import type { Language, OwnerMessage, ProjectSettings } from "@tijolo/protocol";
import type { Logger } from "pino";
import type { Listener } from "./listeners.ts";

/**
 * What was seen of a site's port. `reachable`: it listens where visits arrive; `unknown`: that cannot be told
 * on this host; otherwise the message that says what keeps visits from it.
 */
export type PortSeen = "reachable" | "unknown" | OwnerMessage;

export interface PortWatchOptions {
  /** Returns what the project's programs listen on; undefined where that cannot be told. */
  readListeners: (projectId: string) => Promise<Listener[] | undefined>;
  isRunning: (projectId: string, runNumber: number) => boolean;
  say: (projectId: string, message: OwnerMessage) => Promise<void>;
  logger: Pick<Logger, "warn">;
  /** Milliseconds that a program has to listen before its log says what to change. Default: 20 s. */
  afterMs?: number;
}

const defaultAfterMs = 20_000;
/** Pauses between two looks: most programs listen within a second, and one that never does costs little. */
const pausesMs = [100, 150, 250, 500, 1_000, 2_000];
const slowAfterMs = 90_000;
const slowPauseMs = 15_000;

interface Watch {
  projectId: string;
  runNumber: number;
  site: { language: Language; port: number };
  onSeen: (seen: PortSeen) => void;
  sinceMs: number;
  looks: number;
  hasSaid: boolean;
}

export class PortWatch implements Disposable {
  readonly #options: PortWatchOptions;
  /** Timers by project: one watch each, that of its newest run. */
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #isClosed = false;

  constructor(options: PortWatchOptions) {
    this.#options = options;
  }

  /** Looks at the run of a site, again and again until it listens or ends; `onSeen` receives each finding. */
  watch(
    projectId: string,
    runNumber: number,
    { type, language, port }: ProjectSettings,
    onSeen: (seen: PortSeen) => void = () => {},
  ): void {
    clearTimeout(this.#timers.get(projectId));
    this.#timers.delete(projectId);
    if (type !== "site" || port === null || language === "static") return;
    const sinceMs = performance.now();
    const site = { language, port };
    this.#lookLater({ projectId, runNumber, site, onSeen, sinceMs, looks: 0, hasSaid: false });
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #lookLater(watch: Watch): void {
    const { projectId, sinceMs, looks } = watch;
    const isSlow = performance.now() - sinceMs > slowAfterMs;
    const pauseMs = isSlow ? slowPauseMs : (pausesMs[looks] ?? pausesMs.at(-1) ?? slowPauseMs);
    const timer = setTimeout(() => {
      this.#look(watch).then(
        (isOver) => {
          const isNewest = this.#timers.get(projectId) === timer;
          if (!isNewest || this.#isClosed) return;
          if (isOver) this.#timers.delete(projectId);
          else this.#lookLater({ ...watch, looks: looks + 1 });
        },
        (error: unknown) => {
          this.#options.logger.warn({ err: error, projectId }, "what a site listens on could not be read");
          watch.onSeen("unknown");
        },
      );
    }, pauseMs);
    timer.unref();
    this.#timers.set(projectId, timer);
  }

  /** Returns whether there is nothing more to look for. */
  async #look(watch: Watch): Promise<boolean> {
    const { readListeners, isRunning, say, afterMs = defaultAfterMs } = this.#options;
    const { projectId, runNumber, site, sinceMs } = watch;
    if (!isRunning(projectId, runNumber)) return true;
    const listeners = await readListeners(projectId);
    if (!isRunning(projectId, runNumber)) return true;
    const message = listeners === undefined ? undefined : explainListeners(listeners, site);
    const isLate = performance.now() - sinceMs >= afterMs;
    if (message !== undefined && isLate && !watch.hasSaid) {
      watch.hasSaid = true;
      await say(projectId, message);
    }
    watch.onSeen(listeners === undefined ? "unknown" : (message ?? "reachable"));
    return message === undefined;
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
