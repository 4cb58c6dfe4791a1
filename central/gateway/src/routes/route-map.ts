/**
 * Brings the routes to HAProxy: to the map's file first, from which the next HAProxy starts, then to the one
 * that runs.
 */

import { readFile } from "node:fs/promises";
import type { SiteRoute } from "@tijolo/protocol";
import type { Logger } from "pino";
import type { RuntimeApi } from "../haproxy/runtime-api.ts";
import { mapText, mapValue, readShownMap } from "./map-line.ts";
import { replaceFile } from "./write-file.ts";

/** From so many changes on the whole map is replaced at once. */
const wholeFrom = 200;
/** A hold ends with a later run of the project, or after this time: the run that was to be stopped went on. */
const longestHoldMs = 60_000;

export interface RouteMapOptions {
  file: string;
  api: RuntimeApi;
  logger: Pick<Logger, "warn">;
}

interface Hold {
  runNumber: number;
  sinceMs: number;
}

export class RouteMap {
  readonly #options: RouteMapOptions;
  #routes: ReadonlyMap<string, SiteRoute> = new Map();
  readonly #holds = new Map<string, Hold>();
  /** Holds the entries that HAProxy has, as far as this program knows; undefined: HAProxy has to be asked. */
  #applied: ReadonlyMap<string, string> | undefined;
  #written: string | undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(options: RouteMapOptions) {
    this.#options = options;
  }

  /** Writes the map's file for a HAProxy that does not run yet. */
  async write(routes: ReadonlyMap<string, SiteRoute>): Promise<void> {
    this.#routes = routes;
    await this.#writeFile(this.#values());
  }

  /** Makes these the routes; resolves once HAProxy follows them. */
  apply(routes: ReadonlyMap<string, SiteRoute>): Promise<void> {
    this.#routes = routes;
    return this.#bring();
  }

  /** Sends no new visits to this run or an earlier one of the project; resolves once HAProxy follows. */
  hold(projectId: string, runNumber: number): Promise<void> {
    this.#holds.set(projectId, { runNumber, sinceMs: performance.now() });
    return this.#bring();
  }

  /** Compares the file and the running HAProxy with the routes, and repairs both. */
  async compare(): Promise<void> {
    const text = await readFile(this.#options.file, "utf8").catch(() => undefined);
    this.#written = text;
    const known = this.#applied;
    this.#applied = undefined;
    if (known !== undefined && text !== mapText(known))
      this.#options.logger.warn({}, "the file of routes was not as it should be; writing it again");
    await this.#bring();
  }

  #values(): Map<string, string> {
    const nowMs = performance.now();
    for (const [projectId, { sinceMs }] of this.#holds)
      if (nowMs - sinceMs > longestHoldMs) this.#holds.delete(projectId);
    const values = new Map<string, string>();
    for (const route of this.#routes.values()) {
      const hold = this.#holds.get(route.projectId);
      const isHeld = hold !== undefined && (route.near?.runNumber ?? 0) <= hold.runNumber;
      if (hold !== undefined && !isHeld) this.#holds.delete(route.projectId);
      values.set(route.hostname, mapValue(route, { isHeld }));
    }
    return values;
  }

  #bring(): Promise<void> {
    const done = this.#turn.catch(() => {}).then(() => this.#bringNow());
    this.#turn = done;
    return done;
  }

  async #bringNow(): Promise<void> {
    const wanted = this.#values();
    await this.#writeFile(wanted);
    const applied = this.#applied ?? (await this.#shown());
    this.#applied = undefined; // unknown while it changes
    const changed = [...wanted].filter(([hostname, value]) => applied.get(hostname) !== value);
    const gone = [...applied.keys()].filter((hostname) => !wanted.has(hostname));
    if (changed.length + gone.length >= wholeFrom) await this.#replace(wanted);
    else await this.#change(applied, changed, gone);
    this.#applied = wanted;
  }

  async #change(
    applied: ReadonlyMap<string, string>,
    changed: readonly [string, string][],
    gone: readonly string[],
  ): Promise<void> {
    const { api, file } = this.#options;
    for (const hostname of gone) await api.tell(`del map ${file} ${hostname}`);
    for (const [hostname, value] of changed)
      await api.tell(`${applied.has(hostname) ? "set" : "add"} map ${file} ${hostname} ${value}`);
  }

  /** Replaces the whole map: HAProxy takes the new set in one step. */
  async #replace(wanted: ReadonlyMap<string, string>): Promise<void> {
    const { api, file } = this.#options;
    const answer = await api.ask(`prepare map ${file}`);
    const version = /(\d+)\s*$/.exec(answer.trim())?.[1];
    if (version === undefined) throw new Error(`HAProxy prepared no map: ${answer.trim().slice(0, 200)}`);
    const lines = mapText(wanted).split("\n").filter(Boolean);
    for (let from = 0; from < lines.length; from += wholeFrom)
      await api.tell(`add map @${version} ${file} <<\n${lines.slice(from, from + wholeFrom).join("\n")}\n`);
    await api.tell(`commit map @${version} ${file}`);
  }

  async #shown(): Promise<Map<string, string>> {
    return readShownMap(await this.#options.api.ask(`show map ${this.#options.file}`, 30_000));
  }

  async #writeFile(values: ReadonlyMap<string, string>): Promise<void> {
    const text = mapText(values);
    if (text === this.#written) return;
    await replaceFile(this.#options.file, text);
    this.#written = text;
  }
}
