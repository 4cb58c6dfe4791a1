/** Holds the rules for error messages of Java, Go, .NET and Elixir. */

import { quote } from "@tijolo/protocol";
import { place, quoteFound, type Rule } from "./rule.ts";

/** The class file version of Java 8 is 52. */
const classFileOffset = 44;

export const compiledRules: readonly Rule[] = [
  {
    pattern: /Unable to access jarfile ([^\n]+)/,
    explain: ([, file]) => ({ code: "jar_missing", file: quote(file) }),
  },
  {
    pattern: /Invalid or corrupt jarfile ([^\n]+)/,
    explain: ([, file]) => ({ code: "jar_corrupt", file: quote(file) }),
  },
  {
    pattern: /no main manifest attribute, in ([^\n]+)/,
    explain: ([, file]) => ({ code: "jar_without_main", file: quote(file) }),
  },
  {
    pattern: /class file version (\d+)/,
    explain: ([, number], { version }) => ({
      code: "jar_of_other_version",
      compiledFor: quote(String(Number(number) - classFileOffset)),
      version,
    }),
  },
  {
    pattern: /(?:ClassNotFoundException|NoClassDefFoundError): ([^\s]+)/,
    explain: ([, name]) => ({ code: "java_class_missing", name: quote(name) }),
  },
  {
    pattern: /java\.lang\.OutOfMemoryError/,
    explain: (_, { memoryMb }) => ({ code: "heap_too_small", memoryMb }),
  },
  {
    pattern: /go\.mod requires go >= ([0-9.]+)/,
    explain: ([, wanted], { version }) => ({ code: "go_version_refused", wanted: quote(wanted), version }),
  },
  {
    pattern: /missing go\.sum entry|updates to go\.mod needed|go: inconsistent vendoring/,
    explain: () => ({ code: "go_sum_outdated" }),
  },
  {
    pattern:
      /no Go files in ([^\n]+)|no required module provides package ([^\s;]+)|package (\S+) is not in std/,
    explain: ([, folder, module, std]) =>
      folder === undefined
        ? { code: "go_module_missing", name: quote(module ?? std) }
        : { code: "go_code_missing", folder: quote(folder.replace(/^\/app/, "") || "/") },
  },
  {
    shows: "first",
    pattern: /(?:^|\n)(?:\.\/)?([^\s:]+\.go):(\d+):\d+: ([^\n]+)/,
    explain: ([, file, line, error]) => ({
      code: "compile_error",
      ...place(file, line),
      error: quote(error),
    }),
  },
  {
    pattern: /NETSDK1045|does not support targeting \.NET ([0-9.]+)/,
    explain: (_, { version }) => ({ code: "dotnet_of_other_version", version }),
  },
  {
    pattern: /MSB1003|MSB1009|Project file does not exist/,
    explain: () => ({ code: "dotnet_project_missing" }),
  },
  {
    shows: "first",
    pattern: /(?<![^\s(])([^\s(]+\.(?:cs|fs|vb))\((\d+),\d+\): error [A-Z]+\d+: ([^\n[]+)/,
    explain: ([, file, line, error]) => ({
      code: "compile_error",
      ...place(file, line),
      error: quote(error),
    }),
  },
  {
    pattern: /Could not find a Mix\.Project|cannot find "?mix\.exs/,
    explain: () => ({ code: "mix_file_missing" }),
  },
  {
    shows: "first",
    pattern:
      /\*\* \((?:CompileError|SyntaxError|TokenMissingError|MismatchedDelimiterError)\)[^\n]*?([^\s:]+\.exs?):(\d+)(?::\d+:?\n\s*error: ([^\n]+))?|error: ([^\n]+)\n(?:(?![^\n]*(?:error|warning): )[^\n]*\n){0,12}?\s*└─ ([^\s:]+\.exs?):(\d+)/,
    explain: ([, file, line, firstError, error = firstError, boxFile, boxLine]) => ({
      code: "compile_error",
      ...place(file ?? boxFile, line ?? boxLine),
      error: quoteFound(error),
    }),
  },
  {
    pattern: /Unchecked dependencies for environment|could not find an app file|lock mismatch/,
    explain: () => ({ code: "mix_lock_outdated" }),
  },
];
