/**
 * Reads a chosen folder or archive, and packs what belongs to an upload. It runs in the worker, and needs
 * nothing of it: tests run it in Node.
 */

import { listedFolder, selectFiles, type ListedFile, type Selection } from "@tijolo/protocol/ignore";
import { neededPathOf, proposeConfig, type NeededPath, type ProjectConfig } from "@tijolo/protocol/proposal";
import type { GivenFile, Inspection, LeftOut, PackOptions, Packed, SizedName } from "./messages.ts";
import { PackError } from "./pack-error.ts";
import { readSvcJson } from "./read-svc-json.ts";
import { readZip } from "../../zip/zip-directory.ts";
import { readZipText } from "./read-zip.ts";
import { zipFiles } from "./zip-files.ts";

/** Most files of an upload (`archiveLimits`); what is left out does not count. */
const mostFiles = 50_000;
/** Name of the file that is offered as variables, and sent only when asked for. */
const dotenvName = ".env";
/** Bytes of a file that a proposal reads. */
const readBytes = 256 * 1024;
/** Files of a folder that is left out up to which its size is told: each costs a look at the disk. */
const mostSized = 20_000;

class ChosenFile implements ListedFile {
  readonly name: string;
  readonly file: Blob;

  constructor({ name, file }: GivenFile) {
    this.name = name;
    this.file = file;
  }

  text(): Promise<string> {
    return this.file.slice(0, readBytes).text();
  }
}

/** A folder as it was chosen. */
export class FolderUpload {
  readonly #name: string;
  readonly #files: ChosenFile[];
  readonly #dotenv: ChosenFile | undefined;
  /** The last archive, with what decides its files. */
  #last: { key: string; blob: Blob } | null = null;

  constructor(name: string, files: readonly GivenFile[]) {
    this.#name = name;
    this.#files = files.map((file) => new ChosenFile(file));
    this.#dotenv = this.#files.find((file) => file.name === dotenvName);
  }

  async inspect(): Promise<Inspection> {
    const svcText = await this.#files.find(({ name }) => name === "svc.json")?.text();
    const svcJson = svcText === undefined ? null : readSvcJson(svcText);
    const config = svcJson !== null && "config" in svcJson ? svcJson.config : {};
    const { files, ignored, restored } = await this.#select(config);
    const proposal = svcJson === null ? await proposeConfig(treeOf(files)) : null;
    const sent = files.filter(({ name }) => name !== dotenvName);
    const sized = sizesOf(sent);
    return {
      kind: "folder",
      name: this.#name,
      fileCount: sent.length,
      totalBytes: sized.totalBytes,
      largest: sized.largest,
      leftOut: this.#measure(ignored),
      restored,
      dotenv: (await this.#dotenv?.text()) ?? null,
      isDotenvIgnored: !files.some(({ name }) => name === dotenvName),
      svcJson,
      proposal,
    };
  }

  async pack(
    { config, withDotenv, mostBytes }: PackOptions,
    onProgress: (doneBytes: number, totalBytes: number) => void,
  ): Promise<Packed> {
    const selection = await this.#select(config);
    const files = selection.files.filter(({ name }) => withDotenv || name !== dotenvName);
    if (files.length === 0) throw new PackError({ code: "empty" });
    if (files.length > mostFiles)
      throw new PackError({ code: "tooManyFiles", most: mostFiles, count: files.length });
    const key = files.map(({ name }) => name).join("\n");
    const { totalBytes } = sizesOf(files);
    if (this.#last?.key !== key) {
      const blob = await zipFiles(files, {
        mostBytes,
        onProgress: (doneBytes) => onProgress(doneBytes, totalBytes),
      });
      this.#last = { key, blob };
    }
    const missing = missingOf(config, files);
    const { blob } = this.#last;
    return { blob, fileCount: files.length, totalBytes, restored: selection.restored, missing };
  }

  async #select(config: ProjectConfig): Promise<Selection<ChosenFile>> {
    const needed = neededPathOf(config);
    return selectFiles(listedFolder(this.#files), ["svc.json", ...(needed === null ? [] : [needed.name])]);
  }

  /** Says of each path that is left out how much it is, in one pass over all files. */
  #measure(ignored: Selection<ChosenFile>["ignored"]): LeftOut[] {
    const byName = new Map<string, LeftOut>(
      ignored.map((path) => [path.name, { ...path, fileCount: 0, bytes: 0 }]),
    );
    for (const { name, file } of this.#files) {
      const found =
        byName.get(name) ??
        prefixesOf(name)
          .map((prefix) => byName.get(prefix))
          .find(Boolean);
      if (found === undefined) continue;
      found.fileCount++;
      found.bytes = found.bytes === null || found.fileCount > mostSized ? null : found.bytes + file.size;
    }
    return [...byName.values()].sort((one, other) => (other.bytes ?? Infinity) - (one.bytes ?? Infinity));
  }
}

/** An archive that somebody made; it is sent as it is. */
export class ArchiveUpload {
  readonly #name: string;
  readonly #archive: Blob;
  #files: ListedFile[] = [];

  constructor(name: string, archive: Blob) {
    this.#name = name;
    this.#archive = archive;
  }

  async inspect(): Promise<Inspection> {
    const entries = withoutTopFolder((await readZip(this.#archive)).filter(({ name }) => !isNoise(name)));
    const files = entries.map((entry) => ({
      name: entry.name,
      text: () => readZipText(this.#archive, entry),
    }));
    this.#files = files;
    if (files.length === 0) throw new PackError({ code: "empty" });
    const svcText = await files.find(({ name }) => name === "svc.json")?.text();
    const svcJson = svcText === undefined ? null : readSvcJson(svcText);
    const dotenv = files.find(({ name }) => name === dotenvName);
    const sized = entries.map(({ name, compressedBytes }) => ({ name, bytes: compressedBytes }));
    return {
      kind: "archive",
      name: this.#name,
      fileCount: files.length,
      totalBytes: this.#archive.size,
      largest: largestOf(sized),
      leftOut: [],
      restored: [],
      dotenv: (await dotenv?.text()) ?? null,
      isDotenvIgnored: false,
      svcJson,
      proposal: svcJson === null ? await proposeConfig(treeOf(files)) : null,
    };
  }

  async pack({ config, mostBytes }: PackOptions): Promise<Packed> {
    const { size } = this.#archive;
    const fileCount = this.#files.length;
    if (mostBytes !== null && size > mostBytes) throw new PackError({ code: "tooLarge", mostBytes });
    if (fileCount > mostFiles)
      throw new PackError({ code: "tooManyFiles", most: mostFiles, count: fileCount });
    const missing = missingOf(config, this.#files);
    return { blob: this.#archive, fileCount, totalBytes: size, restored: [], missing };
  }
}

/** What an operating system leaves in archives, which the server passes over (`isArchiveNoise`). */
function isNoise(name: string): boolean {
  return name.startsWith("__MACOSX/") || name.endsWith(".DS_Store");
}

/** The server takes away a folder in which everything lies. */
function withoutTopFolder<Entry extends { name: string }>(entries: readonly Entry[]): Entry[] {
  const top = entries[0]?.name.split("/", 1)[0] ?? "";
  if (!entries.every(({ name }) => name.startsWith(`${top}/`))) return [...entries];
  return entries.map((entry) => ({ ...entry, name: entry.name.slice(top.length + 1) }));
}

function treeOf(files: readonly ListedFile[]) {
  const byName = new Map(files.map((file) => [file.name, file]));
  return {
    files: [...byName.keys()],
    read: async (path: string) => (await byName.get(path)?.text()) ?? null,
  };
}

function missingOf(config: ProjectConfig, files: readonly { name: string }[]): NeededPath | null {
  const needed = neededPathOf(config);
  if (needed === null) return null;
  const isThere = files.some(
    ({ name }) => name === needed.name || (needed.setting === "root" && name.startsWith(`${needed.name}/`)),
  );
  return isThere ? null : needed;
}

function sizesOf(files: readonly ChosenFile[]): { totalBytes: number; largest: SizedName[] } {
  const sized = files.map(({ name, file }) => ({ name, bytes: file.size }));
  return { totalBytes: sized.reduce((sum, { bytes }) => sum + bytes, 0), largest: largestOf(sized) };
}

function largestOf(sized: readonly SizedName[]): SizedName[] {
  return sized.toSorted((one, other) => other.bytes - one.bytes).slice(0, 5);
}

function prefixesOf(name: string): string[] {
  const parts = name.split("/");
  return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join("/"));
}
