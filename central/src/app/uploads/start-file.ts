/**
 * Finds an entry file, or a served folder, that is not in the archive although nothing that runs at the
 * install could make it.
 */

import { AppError, type ProjectSettings } from "@tijolo/protocol";
import { uploadDetails } from "@tijolo/protocol/texts/central";
import type { ArchiveTree } from "../../archive/check-archive.ts";
import { mayBeMade } from "./install-makes.ts";
import { similarPaths } from "./similar-paths.ts";

type Program = Pick<ProjectSettings, "language" | "entry" | "root" | "installCommand">;

/** The project that new code is for. */
interface Before {
  settings: Pick<ProjectSettings, "entry">;
  /** Entry that came with the present code; null when none did, or it is not known. */
  uploadedEntry: string | null;
}

/**
 * Throws `invalid_config` for a start file that is missing. Returns the entry when it comes with this upload:
 * in the archive, or by its install. An entry that is in neither the new code nor the present code is
 * accepted: a PATCH named it, and the program may have written the file itself, on its disk, which stays. A
 * file that came with an upload or its install goes when new code does not bring it.
 */
export function checkStartFile(program: Program, tree: ArchiveTree, before: Before | null): string | null {
  const { language, entry, root } = program;
  const path = language === "static" ? root : entry;
  if (path === null) return null;
  if (isInArchive(program, path, tree.files) || mayBeMade(program, path, tree)) return entry;
  const isOfProgram =
    language !== "static" && before?.settings.entry === entry && before.uploadedEntry !== entry;
  if (isOfProgram) return null;
  const similar = similarPaths(path, tree.files, { isFolder: language === "static" }).join(", ");
  throw new AppError("invalid_config", {
    extra: { field: language === "static" ? "root" : "entry" },
    detail:
      language === "static"
        ? uploadDetails.rootMissing(path, similar)
        : uploadDetails.entryMissing(path, similar),
  });
}

function isInArchive({ language }: Program, given: string, files: ReadonlySet<string>): boolean {
  // Go compiles the folder of the file.
  const isFolder = language === "static" || (language === "go" && given.endsWith(".go"));
  const whole = plainPath(given);
  const path =
    language === "go" && given.endsWith(".go") ? whole.replace(/[^/]*$/, "").replace(/\/$/, "") : whole;
  if (path === "") return true;
  if (!isFolder && files.has(path)) return true;
  // A folder may be run, too, and Node finds a file without its ending.
  const beginnings = language === "node" ? [`${path}/`, `${path}.`] : [`${path}/`];
  for (const file of files) if (beginnings.some((beginning) => file.startsWith(beginning))) return true;
  return false;
}

/** Returns the path as the archive has it: without `.` and empty names. */
function plainPath(path: string): string {
  return path
    .split("/")
    .filter((name) => name !== "" && name !== ".")
    .join("/");
}
