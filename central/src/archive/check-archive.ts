/**
 * Decides whether a stored upload may become a version: checks every rule, inflates every byte without
 * storing it, and finds its svc.json.
 */

import { ArchiveError, extractedPath, type ArchiveLimits } from "@tijolo/protocol";
import { ArchiveFile } from "@tijolo/protocol/kit";

export interface CheckedArchive {
  /** Number of files that extraction creates: noise of operating systems is not counted. */
  files: number;
  extractedBytes: number;
  /** Folder that all files are in; extraction leaves it out. */
  topFolder: string | null;
  /** Path and text of `svc.json` in the archive, not parsed. */
  config: { path: string; text: string } | null;
}

export const maxConfigBytes = 64 * 1024;

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
  const checked: CheckedArchive = { files: 0, extractedBytes: 0, topFolder, config: null };
  for (const [index, entry] of entries.entries()) {
    const extracted = extractedPath(entry.components, topFolder);
    const config: Buffer[] | null = extracted === "svc.json" && !entry.isDirectory ? [] : null;
    if (config !== null && entry.sizeBytes > maxConfigBytes)
      throw new ArchiveError("invalid_config", `svc.json has ${entry.sizeBytes} bytes`);
    await archive.read(index, (bytes) => void config?.push(bytes), deadline);
    if (config !== null)
      checked.config = { path: entry.components.join("/"), text: decodeConfig(Buffer.concat(config)) };
    if (extracted === null || entry.isDirectory) continue;
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
