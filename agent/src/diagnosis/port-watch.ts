/**
 * Checks, a while after a site's start, whether it listens where visits arrive, and writes to its log what to
 * change.
 */

import type { Language, OwnerMessage, ProjectSettings } from "@tijolo/protocol";
import type { Logger } from "pino";
import type { Listener } from "./listeners.ts";

export interface PortWatchOptions {
  /** Returns what the project's programs listen on; undefined where that cannot be told. */
  readListeners: (projectId: string) => Promise<Listener[] | undefined>;
  isRunning: (projectId: string, runNumber: number) => boolean;
  say: (projectId: string, message: OwnerMessage) => Promise<void>;
  logger: Pick<Logger, "warn">;
  /** Milliseconds that a program has to listen. Default: 20 s. */
  afterMs?: number;
}

const defaultAfterMs = 20_000;

export class PortWatch implements Disposable {
  readonly #options: PortWatchOptions;
  /** Timers by project: one check each, that of its newest run. */
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(options: PortWatchOptions) {
    this.#options = options;
  }

  watch(projectId: string, runNumber: number, { type, language, port }: ProjectSettings): void {
    clearTimeout(this.#timers.get(projectId));
    this.#timers.delete(projectId);
    if (type !== "site" || port === null || language === "static") return;
    const timer = setTimeout(() => {
      this.#timers.delete(projectId);
      this.#look(projectId, runNumber, { language, port }).catch((error: unknown) => {
        this.#options.logger.warn({ err: error, projectId }, "what a site listens on could not be read");
      });
    }, this.#options.afterMs ?? defaultAfterMs);
    this.#timers.set(projectId, timer);
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  async #look(
    projectId: string,
    runNumber: number,
    site: { language: Language; port: number },
  ): Promise<void> {
    const { readListeners, isRunning, say } = this.#options;
    if (!isRunning(projectId, runNumber)) return;
    const listeners = await readListeners(projectId);
    if (listeners === undefined || !isRunning(projectId, runNumber)) return;
    const message = explainListeners(listeners, site);
    if (message !== undefined) await say(projectId, message);
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
