/**
 * Decides whether a stored upload may become a version: checks every rule, inflates every byte without
 * storing it, finds its svc.json and reads the few files that say how the project is installed.
 */

import { ArchiveError, extractedPath, versionFiles, type ArchiveLimits } from "@tijolo/protocol";
import { ArchiveFile } from "@tijolo/protocol/kit";

export interface CheckedArchive {
  /** Number of files that extraction creates: noise of operating systems is not counted. */
  files: number;
  extractedBytes: number;
  /** Folder that all files are in; extraction leaves it out. */
  topFolder: string | null;
  /** Path and text of `svc.json` in the archive, not parsed. */
  config: { path: string; text: string } | null;
  tree: ArchiveTree;
}

/** The files of an archive, by the paths that they are extracted to. */
export interface ArchiveTree {
  files: ReadonlySet<string>;
  /** Texts of {@link readFiles} that are there; null for one that is too large to be read. */
  texts: ReadonlyMap<string, string | null>;
}

export const maxConfigBytes = 64 * 1024;

/** Files of the root that are read, up to this size each. */
const readFiles = new Set([...versionFiles, "composer.json", "Gemfile", "requirements.txt"]);
const maxReadBytes = 256 * 1024;

/**
 * Throws {@link ArchiveError} unless the archive keeps all rules, and the signal's reason when that is
 * aborted; memory stays bounded by the number of entries, time by `limits` and `timeoutMs`.
 */
export async function checkArchive(
  path: string,
  limits: ArchiveLimits,
  signal: AbortSignal,
  timeoutMs = 5 * 60_000,
): Promise<CheckedArchive> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  await using archive = await ArchiveFile.open(path, limits, deadline);
  const { entries, topFolder } = archive.listing;
  const [files, texts] = [new Set<string>(), new Map<string, string | null>()];
  const tree = { files, texts };
  const checked: CheckedArchive = { files: 0, extractedBytes: 0, topFolder, config: null, tree };
  for (const [index, entry] of entries.entries()) {
    const extracted = extractedPath(entry.components, topFolder);
    const isConfig = extracted === "svc.json" && !entry.isDirectory;
    if (isConfig && entry.sizeBytes > maxConfigBytes)
      throw new ArchiveError("invalid_config", `svc.json has ${entry.sizeBytes} bytes`);
    const isRead = extracted !== null && readFiles.has(extracted) && entry.sizeBytes <= maxReadBytes;
    const content: Buffer[] | null = isConfig || isRead ? [] : null;
    await archive.read(index, (bytes) => void content?.push(bytes), deadline);
    if (isConfig)
      checked.config = { path: entry.components.join("/"), text: decodeConfig(Buffer.concat(content ?? [])) };
    if (extracted === null || entry.isDirectory) continue;
    files.add(extracted);
    if (readFiles.has(extracted))
      texts.set(extracted, isRead ? Buffer.concat(content ?? []).toString("utf8") : null);
    checked.files += 1;
    checked.extractedBytes += entry.sizeBytes;
  }
  archive.checkGaps();
  if (checked.files === 0) throw new ArchiveError("invalid_zip", "there are no files in it");
  return checked;
}

/** Decodes the configuration; a byte order mark is removed. */
function decodeConfig(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ArchiveError("invalid_config", "svc.json is not UTF-8", cause);
  }
}
