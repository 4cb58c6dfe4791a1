/**
 * Chooses the version of a runtime by the files in which projects name one, for a project whose settings do
 * not. Central chooses with it at the upload; the agent says in the install log what was asked for.
 */

import { z } from "zod";
import { defaultVersions, languageVersions, type Language } from "../nouns/language.ts";
import { quote } from "./quotation.ts";
import { isInRange } from "./version-range.ts";

/** Version that one file asks for. */
export interface VersionWish {
  /** Name of the file; of a package.json, with the field. */
  file: string;
  /** The text as it stands there. */
  wanted: string;
  /**
   * Versions of the language that satisfy it, oldest first; empty when there is none, or the text is not
   * understood.
   */
  versions: readonly string[];
}

/** Returns the text of a file of the project's root; undefined without one. */
export type ReadFile = (name: string) => string | undefined;

/** Longest wish that is read. */
const maxLength = 200;

/** Names of Node's long-term releases, as nvm knows them. */
const longTerm: Readonly<Record<string, string>> = { iron: "20", jod: "22", krypton: "24" };

const packageJson = z.looseObject({ engines: z.looseObject({ node: z.string() }) });

/** Files that {@link versionWishes} reads. */
export const versionFiles = ["package.json", ".nvmrc", ".node-version", ".python-version", "runtime.txt"];

/** Returns the project's version: the one that all files allow, the recommended one before the newest. */
export function chooseVersion(language: Language, read: ReadFile): string {
  let left = languageVersions[language];
  for (const { versions } of versionWishes(language, read)) {
    const both = left.filter((version) => versions.includes(version));
    if (both.length > 0) left = both;
  }
  const standard = defaultVersions[language];
  return left.includes(standard) ? standard : (left.at(-1) ?? standard);
}

/**
 * Returns the version that a range asks for, the newest where there are several; null where the recommended
 * one is in it, where none is, and for a text that is no range.
 */
export function versionFor(language: Language, range: string): string | null {
  const versions = inRange(language, range);
  return versions.includes(defaultVersions[language]) ? null : (versions.at(-1) ?? null);
}

/** Returns what the files ask for, the most binding first. */
export function versionWishes(language: Language, read: ReadFile): VersionWish[] {
  if (language === "node") return nodeWishes(read);
  if (language !== "python") return [];
  return [".python-version", "runtime.txt"].flatMap((file) =>
    wishOf(file, firstLine(read(file)), (wanted) => {
      const [, number] = /^(?:c?python-)?(\d+(?:\.\d+){0,2})$/i.exec(wanted) ?? [];
      return number === undefined ? [] : inRange("python", number);
    }),
  );
}

function nodeWishes(read: ReadFile): VersionWish[] {
  return [
    ...wishOf("package.json (engines.node)", enginesOf(read("package.json")), (wanted) =>
      inRange("node", wanted),
    ),
    ...[".nvmrc", ".node-version"].flatMap((file) => wishOf(file, firstLine(read(file)), nodeNamed)),
  ];
}

function wishOf(
  file: string,
  wanted: string | undefined,
  find: (wanted: string) => readonly string[],
): VersionWish[] {
  if (wanted === undefined || wanted === "") return [];
  return [{ file, wanted: quote(wanted), versions: wanted.length > maxLength ? [] : find(wanted) }];
}

function nodeNamed(wanted: string): readonly string[] {
  const name = wanted.toLowerCase();
  if (["node", "stable", "current", "latest"].includes(name)) return languageVersions.node.slice(-1);
  if (!name.startsWith("lts/")) return inRange("node", wanted);
  const version = name === "lts/*" ? defaultVersions.node : longTerm[name.slice("lts/".length)];
  return version === undefined ? [] : [version];
}

function inRange(language: Language, range: string): string[] {
  return languageVersions[language].filter((version) => isInRange(version, range) === true);
}

function enginesOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return packageJson.safeParse(JSON.parse(text)).data?.engines.node.trim();
  } catch {
    return undefined; // the package manager explains it
  }
}

/** Returns the first line that says something. */
function firstLine(text: string | undefined): string | undefined {
  const lines = text?.split("\n", 50).map((line) => line.replace(/#.*/, "").trim());
  return lines?.find((line) => line !== "");
}
