/**
 * Defines the recipe of PHP: its command line, what serves its sites (lighttpd before php-cgi), the
 * extensions that frameworks ask for, and Composer with the tools by which it fetches and unpacks.
 */

import type { ImageSource } from "../recipe.ts";
import { debianBase, languageLayer, type BaseSuite } from "./debian.ts";

const extensions = [
  "bcmath",
  "curl",
  "gd",
  "intl",
  "mbstring",
  "mysql",
  "pgsql",
  "readline",
  "sqlite3",
  "xml",
  "zip",
];
const composer = ["composer", "git", "unzip"];
/** Packages that `php-server` (agent/src/languages) starts. */
const siteServer = ["lighttpd", "lighttpd-modules-lua"];

export const phpSources: Record<string, readonly ImageSource[]> = {
  "8.4": [
    fromDebian({
      version: "8.4",
      base: "trixie",
      why: "Debian 13's own, with its security fixes until 2030",
      more: ["opcache"],
    }),
  ],
  "8.5": [
    // The cache of compiled files is part of PHP itself since 8.5.
    fromDebian({
      version: "8.5",
      base: "sid",
      suite: "experimental",
      why: "the one suite of Debian that has it; the layer is what it was built from",
    }),
    {
      kind: "oci",
      why: "experimental moves on to 8.6 and drops it; comes without most extensions",
      reference: "docker.io/library/php:8.5-cli-trixie",
      packages: [...composer, ...siteServer],
    },
  ],
};

interface DebianPhp {
  version: string;
  base: BaseSuite;
  /** Suite beside the base's. */
  suite?: string;
  why: string;
  more?: readonly string[];
}

function fromDebian({ version, base, suite, why, more = [] }: DebianPhp): ImageSource {
  const php = ["cgi", "cli", ...extensions, ...more].map((name) => `php${version}-${name}`);
  const suites = suite === undefined ? [base] : [base, suite];
  return {
    kind: "debian",
    why,
    layers: [
      languageLayer({ title: `PHP ${version}`, suites, packages: [...php, ...composer, ...siteServer] }),
      debianBase(base),
    ],
  };
}
