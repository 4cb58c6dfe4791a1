/**
 * Lists rows, or their parts, that this process cannot show: which test shows them, and the words that stand
 * in it.
 */

import type { RowId } from "./spec-rows.ts";

export interface ShownElsewhere {
  row: RowId;
  /** Part that cannot be shown here. */
  what: string;
  /** Relative to the repository. */
  file: string;
  mentions: string;
}

export const shownElsewhere: readonly ShownElsewhere[] = [
  {
    row: "limit.install_memory",
    what: "a real install that takes more than 1 GB",
    file: "test/real/cluster/install.test.ts",
    mentions: "an install step that takes more than a gigabyte is install_out_of_memory",
  },
  {
    row: "limit.install_time",
    what: "a real install that is ended at its deadline",
    file: "test/real/cluster/install.test.ts",
    mentions: "an install step that takes too long is install_timeout",
  },
  {
    row: "project.memoryMb",
    what: "the ceiling of a real process",
    file: "test/real/cluster/exits.test.ts",
    mentions: "a program that takes more memory than it has is killed, and told so",
  },
  {
    row: "project.port",
    what: "the variable PORT of a real process",
    file: "test/real/cluster/languages.test.ts",
    mentions: 'port: "3000"',
  },
  {
    row: "project.internalHost",
    what: "who can connect to whom on a real network",
    file: "test/real/network/network.test.ts",
    mentions: "a project of another account is refused at once, until it belongs to the account",
  },
  {
    row: "usage.cpuPercent",
    what: "usage that a real process makes",
    file: "test/real/cluster/languages.test.ts",
    mentions: "running projects tell what they use",
  },
  {
    row: "last_exit.code",
    what: "exit codes and signals of real processes",
    file: "test/real/cluster/exits.test.ts",
    mentions: "each exit code and signal reaches the owner exactly",
  },
  {
    row: "project.installCommand",
    what: "the automatic install of a language",
    file: "test/real/cluster/install.test.ts",
    mentions:
      "without an install command the language's own runs; an empty one installs nothing; a text replaces it",
  },
  {
    row: "language.java",
    what: "a real jar that runs",
    file: "test/real/cluster/languages-matrix.test.ts",
    mentions: 'name: "site-java"',
  },
  {
    row: "language.go",
    what: "the folder that is really compiled",
    file: "test/real/cluster/languages-installs.test.ts",
    mentions: "Go compiles the folder of its entry with vendored modules",
  },
  {
    row: "language.php_ruby",
    what: "what Composer installs",
    file: "test/real/cluster/languages-installs.test.ts",
    mentions: "Composer installs from a folder of the project",
  },
  {
    row: "language.php_ruby",
    what: "what Bundler installs",
    file: "test/real/cluster/languages-installs.test.ts",
    mentions: "Bundler installs a gem of the project",
  },
  {
    row: "language.php_ruby",
    what: "the service's own PHP server",
    file: "test/real/cluster/languages-php.test.ts",
    mentions: "what is no file goes to the front controller, with the address as it was asked for",
  },
  {
    row: "language.elixir",
    what: "a real mix project",
    file: "test/real/cluster/languages-matrix.test.ts",
    mentions: '{ name: "bot-elixir", of: "all"',
  },
  {
    row: "failure.system_packages_failed",
    what: "packages that cannot be had",
    file: "test/real/cluster/system-packages.test.ts",
    mentions:
      "packages that cannot be had are system_packages_failed, with the reason in the error and in the log",
  },
  {
    row: "language.static",
    what: "the served folder, and nothing else",
    file: "test/real/cluster/languages.test.ts",
    mentions: "a static site answers from its folder, and only from there",
  },
  {
    row: "convention.https",
    what: "certificates, and a gateway that holds them",
    file: "test/gateway/haproxy-https.test.ts",
    mentions: "a name with a certificate is sent to HTTPS",
  },
  {
    row: "entry.panel",
    what: "the panel's settings, in a browser",
    file: "test/panel/settings.test.ts",
    mentions: "a command that only runs the entry file is shown as empty",
  },
];
