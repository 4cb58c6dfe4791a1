/** Holds the rules for packages of any language that compile C or C++ during their install. */

import { quote, type ProjectSettings } from "@tijolo/protocol";
import { place, type Rule } from "./rule.ts";

/** Matches the first error of gcc, g++ or clang. npm repeats such lines with a prefix of its own. */
export const nativeCompileError: Rule = {
  shows: "first",
  pattern:
    /(?:^|\n)(?:npm (?:error|ERR!) |\s+)?(?:\.\.?\/)*([^\s:]+\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|m|mm)):(\d+):(?:\d+:)? (?:fatal )?error: (?!Python\.h)([^\n]+)/,
  explain: ([, file, line, error], { language, version }) => ({
    code: "native_compile_error",
    ...place(file, line),
    error: quote(error),
    language,
    version,
  }),
};

/** True when the project already has the compilers, so that advice to add them would not help. */
export function hasCompilers({ systemPackages }: Pick<ProjectSettings, "systemPackages">): boolean {
  return systemPackages.includes("build-essential");
}
