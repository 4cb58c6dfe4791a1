/** Holds the rules for error messages of PHP, Composer, Ruby and Bundler. */

import { quote } from "@tijolo/protocol";
import { nativeCompileError } from "./native-modules.ts";
import { place, quoteFound, type Rule } from "./rule.ts";

export const phpRules: readonly Rule[] = [
  {
    pattern: /php-server: (\S+) was not found/,
    explain: ([, file]) => ({ code: "php_front_missing", file: quote(file) }),
  },
  {
    pattern: /Could not open input file: ([^\n]+)/,
    explain: ([, file]) => ({ code: "file_missing", file: quote(file) }),
  },
  {
    pattern:
      /vendor\/autoload\.php[^\n]*(?:No such file|Failed opening)|Failed opening required '[^'\n]*vendor\/autoload\.php'/,
    explain: () => ({ code: "composer_not_installed" }),
  },
  {
    pattern: /(?:PHP )?Parse error: +([^\n]+?) in ([^\n]+) on line (\d+)/,
    explain: ([, error, file, line]) => ({ code: "syntax_error", ...place(file, line), error: quote(error) }),
  },
  {
    pattern: /Class "([^"\n]+)" not found/,
    explain: ([, name]) => ({ code: "php_class_missing", name: quote(name) }),
  },
  {
    pattern:
      /requires php ([^\s]+)[^\n]*your php version|your php version \(([^)\n]+)\)[^\n]*does not satisfy/i,
    explain: ([, wanted], { version }) => ({
      code: "php_version_refused",
      version,
      wanted: quoteFound(wanted),
    }),
  },
  {
    pattern: /requires ext-([a-z0-9_]+)|Call to undefined function ([a-z0-9_]+)\(/,
    explain: ([, extension, name]) =>
      extension === undefined
        ? { code: "php_function_missing", name: quote(name) }
        : { code: "php_extension_missing", extension: quote(extension) },
  },
  {
    pattern: /lock file is not up to date|not present in the lock file|do not satisfy your constraints/,
    explain: () => ({ code: "composer_lock_outdated" }),
  },
];

/** Gems by file, for files whose gem has another name than the part before the slash. */
const gemNames: Record<string, string> = {
  active_record: "activerecord",
  active_support: "activesupport",
  "net/imap": "net-imap",
  "net/smtp": "net-smtp",
};

export const rubyRules: readonly Rule[] = [
  {
    pattern: /Your bundle only supports platforms/,
    explain: () => ({ code: "gem_lock_of_other_system" }),
  },
  {
    pattern: /bundler: command not found: (\S+)/,
    explain: ([, command]) => ({ code: "gem_command_unknown", command: quote(command) }),
  },
  {
    pattern: /cannot load such file -- ([^\s(]+)/,
    explain: ([, name]) =>
      name?.startsWith("/")
        ? { code: "file_missing", file: quote(name.replace(/^\/app\//, "")) }
        : { code: "gem_missing", gem: gemOf(name ?? "") },
  },
  {
    pattern: /No such file or directory -- ([^\s(]+)/,
    explain: ([, file]) => ({ code: "file_missing", file: quote(file) }),
  },
  {
    pattern: /(?<![^\s:])([^\s:]+\.rb):(\d+): (?:syntax error|syntax errors? found)[^\n]*/,
    explain: ([, file, line]) => ({ code: "syntax_error", ...place(file, line) }),
  },
  {
    pattern: /Your Ruby version is ([0-9.]+), but your Gemfile specified ([^\s]+)/,
    explain: ([, , wanted], { version }) => ({
      code: "ruby_version_refused",
      wanted: quote(wanted),
      version,
    }),
  },
  {
    pattern: /Could not find gem '([^'\n]+)'/,
    explain: ([, name]) => ({ code: "gem_unknown", name: quote(name) }),
  },
  {
    pattern:
      /frozen mode|frozen mode is set|lockfile can't be updated|The dependencies in your gemfile changed/i,
    explain: () => ({ code: "gem_lock_outdated" }),
  },
  nativeCompileError,
  {
    isConsequence: true,
    pattern: /Failed to build gem native extension/,
    explain: () => ({ code: "gem_compiler_missing" }),
  },
];

function gemOf(file: string): string {
  const [part = ""] = file.split("/");
  return quote(gemNames[file] ?? gemNames[part] ?? part);
}
