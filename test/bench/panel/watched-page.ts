/** Reads what a browser measures of a page: paints, shifts, interactions, work of the main thread. */

import type { CDPSession, Page } from "playwright-core";

/** The network of a slow phone, and a processor a quarter as fast. */
export const slowPhone = { bitsPerSecond: 1_600_000, latencyMs: 150, slowdown: 4 };

/** Runs in each page before its own scripts: it is sent there as its own source. */
function observe(): void {
  interface Entry {
    startTime: number;
    duration: number;
    value: number;
    hadRecentInput: boolean;
    interactionId: number;
  }
  interface Observers {
    PerformanceObserver: new (take: (list: { getEntries(): Entry[] }) => void) => {
      observe(options: { type: string; buffered: boolean; durationThreshold?: number }): void;
    };
    measured: { lcpMs: number; shift: number; interactionsMs: number[] };
  }
  const page = globalThis as unknown as Observers;
  page.measured = { lcpMs: 0, shift: 0, interactionsMs: [] };
  const watch = (type: string, take: (entry: Entry) => void) =>
    new page.PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      type,
      buffered: true,
      ...(type === "event" ? { durationThreshold: 16 } : {}),
    });
  watch("largest-contentful-paint", ({ startTime }) => (page.measured.lcpMs = startTime));
  watch("layout-shift", ({ value, hadRecentInput }) => {
    if (!hadRecentInput) page.measured.shift += value;
  });
  watch("event", ({ duration, interactionId }) => {
    if (interactionId !== 0) page.measured.interactionsMs.push(duration);
  });
}

export interface Measured {
  /** Largest contentful paint, in milliseconds since the page was asked for. */
  lcpMs: number;
  /** Cumulative layout shift, without unit. */
  shift: number;
  /** How long each interaction took until the next paint; those below 16 ms are left out. */
  interactionsMs: number[];
}

export class WatchedPage {
  readonly page: Page;
  readonly #session: CDPSession;

  private constructor(page: Page, session: CDPSession) {
    this.page = page;
    this.#session = session;
  }

  static async of(page: Page): Promise<WatchedPage> {
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");
    await page.addInitScript(observe);
    return new WatchedPage(page, session);
  }

  async slowDown({ bitsPerSecond, latencyMs, slowdown } = slowPhone): Promise<void> {
    const throughput = bitsPerSecond / 8;
    await this.#session.send("Network.enable");
    await this.#session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: latencyMs,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    });
    await this.#session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  }

  async emptyCache(): Promise<void> {
    await this.#session.send("Network.clearBrowserCache");
  }

  /** What the page that is open has measured so far. */
  async measured(): Promise<Measured> {
    return this.page.evaluate<Measured>("globalThis.measured");
  }

  /** The share of a time, from 0 to 1, in which the page's main thread works; and frames a second. */
  async busy(ms: number): Promise<{ share: number; framesPerSecond: number; heapMb: number }> {
    await this.page.evaluate(`(() => {
      globalThis.frames = 0;
      const count = () => { globalThis.frames++; globalThis.counting = requestAnimationFrame(count); };
      count();
    })()`);
    const before = await this.#metrics();
    await this.page.waitForTimeout(ms);
    const after = await this.#metrics();
    const frames = await this.page.evaluate<number>(
      "(cancelAnimationFrame(globalThis.counting), globalThis.frames)",
    );
    const seconds = after.Timestamp - before.Timestamp;
    return {
      share: (after.TaskDuration - before.TaskDuration) / seconds,
      framesPerSecond: frames / seconds,
      heapMb: after.JSHeapUsedSize / 2 ** 20,
    };
  }

  async #metrics(): Promise<Record<"Timestamp" | "TaskDuration" | "JSHeapUsedSize", number>> {
    const { metrics } = await this.#session.send("Performance.getMetrics");
    const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    return {
      Timestamp: value("Timestamp"),
      TaskDuration: value("TaskDuration"),
      JSHeapUsedSize: value("JSHeapUsedSize"),
    };
  }
}
