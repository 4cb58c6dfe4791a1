/** Lists the system packages a project may ask for, in list order (spec: `systemPackages` allowed values). */

import { z } from "zod";
import { named } from "../contract/described.ts";

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

export const systemPackage = named("SystemPackage", z.enum(systemPackages), {
  text: {
    pt: "Pacote de sistema que um projeto pode pedir.",
    en: "A system package that a project may ask for.",
  },
});

export type SystemPackage = (typeof systemPackages)[number];
