/**
 * Keeps one of HAProxy's maps: its file first, from which the next HAProxy starts, then the map of the one that
 * runs.
 */

import { readFile } from "node:fs/promises";
import { SerialQueue } from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import { replaceFile } from "../files/replace-file.ts";
import { maxPayloadBytes, type RuntimeApi } from "./runtime-api.ts";

/** From so many changes on the whole map is replaced at once. */
const wholeFrom = 200;

export interface HaproxyMapOptions {
  file: string;
  api: RuntimeApi;
  logger: Pick<Logger, "warn">;
}

export class HaproxyMap {
  readonly #options: HaproxyMapOptions;
  /** Holds the entries that HAProxy has, as far as this program knows; undefined: HAProxy has to be asked. */
  #applied: ReadonlyMap<string, string> | undefined;
  #written: string | undefined;
  readonly #changes = new SerialQueue();

  constructor(options: HaproxyMapOptions) {
    this.#options = options;
  }

  /** Writes the file for a HAProxy that does not run yet. */
  async write(values: ReadonlyMap<string, string>): Promise<void> {
    const text = mapText(values);
    if (text === this.#written) return;
    await replaceFile(this.#options.file, text);
    this.#written = text;
  }

  /**
   * Makes what `values` returns, when it is this call's turn, the entries; resolves once HAProxy has them. Neither
   * a key nor a value may hold white space.
   */
  apply(values: () => ReadonlyMap<string, string>): Promise<void> {
    return this.#changes.run(() => this.#bring(values()));
  }

  /** Compares the file and the running HAProxy with the entries, and repairs both. */
  async compare(values: () => ReadonlyMap<string, string>): Promise<void> {
    const { file, logger } = this.#options;
    const text = await readFile(file, "utf8").catch(() => undefined);
    this.#written = text;
    const known = this.#applied;
    this.#applied = undefined;
    if (known !== undefined && text !== mapText(known))
      logger.warn({ file }, "the file of a map was not as it should be; writing it again");
    await this.apply(values);
  }

  async #bring(wanted: ReadonlyMap<string, string>): Promise<void> {
    await this.write(wanted);
    const applied = this.#applied ?? (await this.#shown());
    this.#applied = undefined; // unknown while it changes
    const changed = [...wanted].filter(([key, value]) => applied.get(key) !== value);
    const gone = [...applied.keys()].filter((key) => !wanted.has(key));
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
    for (const key of gone) await api.run(`del map ${file} ${key}`);
    for (const [key, value] of changed)
      await api.run(`${applied.has(key) ? "set" : "add"} map ${file} ${key} ${value}`);
  }

  /** Replaces the whole map: HAProxy takes the new set in one step. */
  async #replace(wanted: ReadonlyMap<string, string>): Promise<void> {
    const { api, file } = this.#options;
    const answer = await api.ask(`prepare map ${file}`);
    const version = /(\d+)\s*$/.exec(answer.trim())?.[1];
    if (version === undefined) throw new Error(`HAProxy prepared no map: ${answer.trim().slice(0, 200)}`);
    for (const payload of payloadsOf(mapText(wanted)))
      await api.run(`add map @${version} ${file} <<\n${payload}`);
    await api.run(`commit map @${version} ${file}`);
  }

  async #shown(): Promise<Map<string, string>> {
    return readShownMap(await this.#options.api.ask(`show map ${this.#options.file}`, 30_000));
  }
}

/** Cuts a text into whole lines, as many of them as one command takes. */
function* payloadsOf(text: string): Generator<string> {
  let payload = "";
  for (const line of text.split("\n").filter(Boolean)) {
    if (payload.length + line.length >= maxPayloadBytes) {
      yield payload;
      payload = "";
    }
    payload += `${line}\n`;
  }
  if (payload !== "") yield payload;
}

/** Returns the text of a map's file. */
export function mapText(values: ReadonlyMap<string, string>): string {
  return [...values].map(([key, value]) => `${key} ${value}\n`).join("");
}

/** Reads what `show map` answers: an address in memory, the key and the value on each line. */
export function readShownMap(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, key, value] = /^0x[0-9a-f]+ (\S+) (\S+)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) values.set(key, value);
  }
  return values;
}
