/**
 * Decides whether a static site is built on the host, with the tools of Node that its package.json names:
 * when the upload does not bring the folder that is served.
 */

import { posix } from "node:path";
import { chooseVersion, type ProjectSettings } from "@tijolo/protocol";
import type { SourceTree } from "./language-rules.ts";
import { parsePackage } from "./node.ts";

/**
 * Folders that builds write a site to, the likeliest first; looked for where `root` names none. `public` is
 * also where many projects keep files that their build copies, so it counts only with an index.html of the
 * build's own.
 */
export const builtFolders = ["dist", "build", "out", "public"] as const;

/**
 * Returns the settings that a version is installed with: for a static site with a build, those of a Node
 * project; for all others, their own.
 */
export function installSettings(settings: ProjectSettings, tree: SourceTree): ProjectSettings {
  if (settings.language !== "static" || !hasBuild(settings, tree)) return settings;
  return { ...settings, language: "node", version: chooseVersion("node", (name) => tree.read(name)) };
}

function hasBuild({ installCommand, root }: ProjectSettings, tree: SourceTree): boolean {
  if (installCommand !== null) return installCommand.trim() !== "";
  const text = tree.read("package.json");
  if (text === undefined || !("build" in parsePackage(text).scripts)) return false;
  const folder = folderOf(root);
  return folder === ""
    ? !builtFolders.some((name) => name !== "public" && tree.has(`${name}/index.html`))
    : !tree.hasFolder(folder);
}

/** Returns the served folder as a plain path; "" for the project's own. */
export function folderOf(root: string | null): string {
  const path = posix.normalize(root ?? "").replace(/^\/+|\/+$/g, "");
  return path === "." ? "" : path;
}
