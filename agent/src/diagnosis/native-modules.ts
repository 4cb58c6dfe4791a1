/** Holds what packages that compile C or C++ at their install have in common, whatever their language. */

import { quote, type ProjectSettings } from "@tijolo/protocol";
import { place, type Rule } from "./rule.ts";

/** The first error of gcc, g++ or clang; npm begins each line that it repeats with words of its own. */
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

/** True when the project has the compilers already: then to add them is no advice. */
export function hasCompilers({ systemPackages }: Pick<ProjectSettings, "systemPackages">): boolean {
  return systemPackages.includes("build-essential");
}
