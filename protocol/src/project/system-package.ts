/**
 * Lists the system packages a project may ask for. Those of the specification every Tijolo has (spec:
 * `systemPackages` allowed values); an operator may allow more.
 */

import { z } from "zod";
import { inputReasons } from "../contract/input-reasons.ts";
import { named } from "../contract/described.ts";

/** The specification's list, in its order. */
export const systemPackages = [
  "build-essential",
  "curl",
  "fonts-dejavu-core",
  "fonts-liberation",
  "fonts-noto-cjk",
  "fonts-noto-color-emoji",
  "ghostscript",
  "git",
  "graphviz",
  "imagemagick",
  "libvips-tools",
  "poppler-utils",
  "python3",
  "sqlite3",
  "tesseract-ocr",
  "tesseract-ocr-por",
  "unzip",
  "zip",
] as const;

export type SystemPackage = (typeof systemPackages)[number];

/** Largest number of packages that an operator may allow beside the specification's. */
export const maxMorePackages = 32;

/** Name of a Debian package. One that ends with a hyphen would be read as a removal. */
const packageName = z
  .string()
  .max(100)
  .regex(/^[a-z0-9][a-z0-9+.-]*[a-z0-9+]$/, inputReasons.badPackageName.pt);

/**
 * A package by its name. Which names may be asked for depends on the operator, so central checks that; the
 * API description lists them (`enum`).
 */
export const systemPackage = named("SystemPackage", packageName, {
  text: {
    pt: "Pacote de sistema que um projeto pode pedir.",
    en: "A system package that a project may ask for.",
  },
  enum: systemPackages,
});

/** Reads names that an operator allows, separated by commas; null when one of them cannot be a package's. */
export function parseMorePackages(text: string): string[] | null {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const isFine =
    names.length <= maxMorePackages && names.every((name) => packageName.safeParse(name).success);
  return isFine ? allowedPackages(names).slice(systemPackages.length) : null;
}

/** Returns the names that may be asked for, in list order: the specification's, then the operator's. */
export function allowedPackages(more: readonly string[]): string[] {
  return inListOrder([...systemPackages, ...more]);
}

/** Returns each name once: those of the specification in its order, then others by the alphabet. */
export function inListOrder(names: readonly string[]): string[] {
  const listed: readonly string[] = systemPackages;
  const others = new Set(names.filter((name) => !listed.includes(name)));
  return [...listed.filter((name) => names.includes(name)), ...[...others].sort()];
}
