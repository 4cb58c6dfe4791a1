/**
 * Keeps HAProxy's list of certificates (`crt-list`): its file first, from which the next HAProxy starts, then the
 * list of the one that runs.
 */

import { readFile } from "node:fs/promises";
import { SerialQueue } from "@tijolo/protocol/kit";
import { replaceFile } from "../files/replace-file.ts";
import { maxPayloadBytes, type RuntimeApi } from "./runtime-api.ts";

/** Limits each command; adding a certificate beside 3,000 others takes 11 ms (`pnpm bench gateway`). */
const timeoutMs = 30_000;

/** By the path of each certificate's file: the names that it is shown for. */
export type ListedCertificates = ReadonlyMap<string, readonly string[]>;

export interface CertificateListOptions {
  file: string;
  api: RuntimeApi;
  /** Replaces the running HAProxy by one that reads the files. */
  restart: () => Promise<void>;
}

export class CertificateList {
  readonly #options: CertificateListOptions;
  readonly #changes = new SerialQueue();
  #written: string | undefined;

  constructor(options: CertificateListOptions) {
    this.#options = options;
  }

  /** Writes the file for a HAProxy that does not run yet. */
  async write(wanted: ListedCertificates): Promise<void> {
    const text = listText(wanted);
    if (text === this.#written) return;
    await replaceFile(this.#options.file, text);
    this.#written = text;
  }

  /**
   * Makes these the certificates; resolves once HAProxy shows them, with those that it refuses and what it says of
   * each. One that is refused stays out of the file, or the next HAProxy would not start. Their files must be there.
   */
  apply(wanted: ListedCertificates): Promise<ReadonlyMap<string, Error>> {
    return this.#changes.run(async () => {
      await this.write(wanted);
      const refused = await this.#bring(wanted);
      if (refused.size > 0) await this.write(new Map([...wanted].filter(([path]) => !refused.has(path))));
      return refused;
    });
  }

  async #bring(wanted: ListedCertificates): Promise<ReadonlyMap<string, Error>> {
    const refused = new Map<string, Error>();
    const shown = await this.#shown();
    const fresh = [...wanted].filter(([path]) => !shown.has(path));
    const pems = await Promise.all(fresh.map(([path]) => readFile(path, "utf8")));
    if (pems.some((pem) => pem.length > maxPayloadBytes)) {
      await this.#options.restart();
      return refused;
    }
    // New ones first: where one takes over a name, the name always has a certificate.
    for (const [at, [path, names]] of fresh.entries()) {
      const error = await this.#add(path, names, pems[at] ?? "").then(() => null, refusalOf);
      if (error !== null) refused.set(path, error);
    }
    for (const [path, names] of shown) {
      const wantedNames = wanted.get(path);
      if (wantedNames !== undefined && sameNames(names, wantedNames)) continue;
      await this.#run(`del ssl crt-list ${this.#options.file} ${path}`);
      if (wantedNames === undefined) await this.#run(`del ssl cert ${path}`);
      else await this.#list(path, wantedNames);
    }
    return refused;
  }

  async #add(path: string, names: readonly string[], pem: string): Promise<void> {
    const { api } = this.#options;
    try {
      // One that is loaded and not listed is left of a change that broke off.
      await api.ask(`new ssl cert ${path}`, timeoutMs);
      await this.#run(`set ssl cert ${path} <<\n${pem}`);
      await this.#run(`commit ssl cert ${path}`);
      await this.#list(path, names);
    } catch (error) {
      await api.ask(`abort ssl cert ${path}`, timeoutMs);
      await api.ask(`del ssl cert ${path}`, timeoutMs);
      throw error;
    }
  }

  #list(path: string, names: readonly string[]): Promise<void> {
    return this.#run(`add ssl crt-list ${this.#options.file} <<\n${path} ${names.join(" ")}\n`);
  }

  /** The commands about certificates say what they do, and a word of it when it is done. */
  async #run(command: string): Promise<void> {
    const answer = (await this.#options.api.ask(command, timeoutMs)).trim();
    if (/success!|deleted|transaction (?:created|updated)/i.test(answer)) return;
    throw new RefusedError(`HAProxy refused ${command.split("\n", 1)[0]}: ${answer.slice(0, 200)}`);
  }

  async #shown(): Promise<Map<string, string[]>> {
    const { api, file } = this.#options;
    return readShownList(await api.ask(`show ssl crt-list ${file}`, timeoutMs));
  }
}

/** Thrown where HAProxy has answered that it does not do what it was told. */
class RefusedError extends Error {
  override name = "RefusedError";
}

/** Returns a refusal. Throws any other error: HAProxy has not answered then. */
function refusalOf(error: unknown): RefusedError {
  if (error instanceof RefusedError) return error;
  throw error;
}

/** Returns the text of the list's file. */
function listText(wanted: ListedCertificates): string {
  return [...wanted].map(([path, names]) => `${path} ${names.join(" ")}\n`).join("");
}

/** Reads what `show ssl crt-list` answers: the path, options in brackets, and the names on each line. */
function readShownList(text: string): Map<string, string[]> {
  const shown = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [path = "", ...names] = line
      .trim()
      .replace(/\[[^\]]*\]/, "")
      .split(/\s+/);
    if (path.startsWith("/")) shown.set(path, names);
  }
  return shown;
}

function sameNames(some: readonly string[], others: readonly string[]): boolean {
  return some.toSorted().join(" ") === others.toSorted().join(" ");
}
