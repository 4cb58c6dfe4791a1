/** Holds the rules for error messages of Node and its package managers. */

import { quote, type OwnerMessage } from "@tijolo/protocol";
import { hasCompilers, nativeCompileError } from "./native-modules.ts";
import { place, quoteFound, type Rule } from "./rule.ts";

export const nodeRules: readonly Rule[] = [
  {
    // npm only warns of a dependency's wish; what fails then fails of something else.
    pattern:
      /npm (?:error|ERR!) code EBADENGINE(?:[^]*?Required: \{"node":"([^"\n]+)")?|ERR_PNPM_UNSUPPORTED_ENGINE(?:[^]*?Expected version: (\S+))?|The engine "node" is incompatible with this module(?:[^\n]*?Expected version "([^"]+)")?/,
    explain: ([, byNpm, byPnpm, byYarn], { version }) => ({
      code: "node_version_refused",
      version,
      wanted: quoteFound(byNpm ?? byPnpm ?? byYarn),
    }),
  },
  {
    pattern: /NODE_MODULE_VERSION|was compiled against a different Node\.js version/,
    explain: (_, { version }) => ({ code: "node_module_of_other_version", version }),
  },
  {
    pattern: /Error: No such module: (\w+)\n[^\n]*process\.binding/,
    explain: ([, name], { version }) => ({ code: "node_internal_removed", name: quote(name), version }),
  },
  {
    pattern: /invalid ELF header|wrong ELF class|Exec format error/,
    explain: () => ({ code: "node_modules_of_other_system" }),
  },
  {
    pattern: /Could not find a production build in the '[^'\n]*\.next' directory/,
    explain: () => ({ code: "next_not_built" }),
  },
  {
    pattern:
      /did not initialize yet|[Pp]lease run [`"']?(?:npx )?prisma generate|Cannot find module '\.prisma\/client/,
    explain: () => ({ code: "prisma_not_generated" }),
  },
  {
    // A lock file made elsewhere may leave out the optional packages of this system
    // (github.com/npm/cli/issues/4828).
    pattern:
      /Cannot find (?:module|package) '?([^'\s]*linux-(?:x64|arm64)[\w-]*)|The package "(@esbuild\/linux-[^"\n]+)" could not be found|Could not load the "(sharp)" module using the linux/,
    explain: ([, byNode, byEsbuild, bySharp]) => ({
      code: "lock_of_other_system",
      name: quote(byNode ?? byEsbuild ?? bySharp),
    }),
  },
  {
    // What another built file asks for is a matter of its name, not of the build.
    pattern: /Cannot find module '\/app\/((?:dist|build|\.next|out)\/[^'\n]+)'(?! imported from)/,
    explain: ([, file]) => ({ code: "built_file_missing", file: quote(file) }),
  },
  {
    pattern: /Cannot find (?:module|package) '((?:\.{0,2}\/)[^'\n]+)'/,
    explain: ([, file]) => missingFile(file),
  },
  {
    pattern: /Cannot find (?:module|package) '([^'\n]+)'/,
    explain: ([, name]) => missingPackage(name),
  },
  {
    // `@/` is how projects of Next and Vite write their own folder.
    pattern: /Module not found: (?:Error: )?Can't resolve '([^'\n]+)'/,
    explain: ([, name]) => (/^(?:\.{0,2}|@)\//.test(name ?? "") ? missingFile(name) : missingPackage(name)),
  },
  {
    pattern: /Cannot use import statement outside a module/,
    explain: () => ({ code: "import_in_commonjs" }),
  },
  {
    pattern: /require is not defined in ES module scope/,
    explain: () => ({ code: "require_in_module" }),
  },
  {
    pattern: /Unknown file extension "\.(tsx?)"|ERR_UNKNOWN_FILE_EXTENSION/,
    explain: () => ({ code: "typescript_not_compiled" }),
  },
  {
    pattern: /SyntaxError: (?:\/app\/)?([^\n:]+\.json): [^\n]*JSON/,
    explain: ([, file]) => ({ code: "json_file_invalid", file: quote(file) }),
  },
  {
    pattern: /SyntaxError: [^\n]*(?:is not valid JSON|JSON input|in JSON at)/,
    explain: () => ({ code: "json_text_invalid" }),
  },
  {
    pattern: /(?:^|\n)((?:file:\/\/)?\/app\/[^\n:]+):(\d+)\n(?:[^\n]*\n){1,4}?\n?(SyntaxError: [^\n]+)/,
    explain: ([, file, line, error]) => ({
      code: "syntax_error",
      ...place(file, line),
      error: quote(error?.slice(13)),
    }),
  },
  {
    pattern: /(?:^|\n)SyntaxError: (?![^\n]*JSON)([^\n]+)/,
    explain: ([, error]) => ({ code: "syntax_error_somewhere", error: quote(error) }),
  },
  {
    pattern: /JavaScript heap out of memory/,
    explain: (_, { memoryMb }) => ({ code: "heap_too_small", memoryMb }),
  },
  {
    pattern:
      /can only install packages when[^\n]*in sync(?:[^\n]*\n(?:npm (?:error|ERR!) *\n)?npm (?:error|ERR!) Missing: (\S+))?|ERR_PNPM_OUTDATED_LOCKFILE|lockfile needs to be updated|YN0028|lockfile had changes/,
    explain: ([, name]) => ({ code: "node_lock_outdated", name: quoteFound(name) }),
  },
  {
    pattern: /can only install with an existing package-lock\.json/,
    explain: () => ({ code: "node_lock_missing" }),
  },
  {
    // npm 10 and pnpm, npm 11, yarn, modern yarn, Bun.
    pattern:
      /(?:^|[\s'])(@?[a-z0-9][^\s'"]*)'? is not in (?:this|the npm) registry|The requested resource '([^'\n]+)' could not be found|Couldn't find package "([^"\n]+)" on the "[^"\n]*" registry|YN0035: [^\n]*?(@?[a-z0-9][^\s:]*)@npm:([^\s:]+): Package not found(?:\n[^\n]*YN0035:[^\n]*){0,4}|error: (\S+) failed to resolve/i,
    explain: ([, byNpm, byNewNpm, byYarn, byModernYarn, version, byBun]) => ({
      code: "npm_package_unknown",
      name: quote(byNpm ?? byNewNpm ?? byYarn ?? (byModernYarn && `${byModernYarn}@${version}`) ?? byBun),
    }),
  },
  {
    pattern: /No matching version found for (\S+?)\.?(?:\s|$)/,
    explain: ([, name]) => ({ code: "npm_version_unknown", name: quote(name) }),
  },
  {
    pattern: /npm error (?:code )?ERESOLVE/,
    explain: () => ({ code: "npm_versions_conflict" }),
  },
  {
    pattern:
      /(?:not found: (?:make|cc|gcc|g\+\+|c\+\+)|make: (?:cc|gcc|g\+\+|c\+\+): No such file|gyp ERR! find Python|Could not find any Python)|node-gyp[^\n]*not found/,
    explain: () => ({ code: "node_compiler_missing" }),
  },
  nativeCompileError,
  {
    isConsequence: true,
    pattern: /gyp ERR! stack (\w*Error[^\n]*)/,
    explain: ([, error], settings) =>
      hasCompilers(settings)
        ? { code: "native_module_not_built", error: quote(error) }
        : { code: "node_compiler_missing" },
  },
  {
    isConsequence: true,
    pattern: /gyp ERR! (?:build|configure) error|node-gyp[^\n]*failed/,
    explain: (_, settings) =>
      hasCompilers(settings) ? { code: "native_module_not_built" } : { code: "node_compiler_missing" },
  },
  {
    pattern: /spawn git ENOENT|syscall spawn git/,
    explain: () => ({ code: "git_missing" }),
  },
  {
    pattern: /Missing script: "?([^"\n]+)"?/,
    explain: ([, script]) => ({ code: "script_missing", script: quote(script) }),
  },
  {
    pattern: /(?:EJSONPARSE|Failed to parse (?:package\.json|JSON)|Invalid package\.json)/,
    explain: () => ({ code: "package_json_invalid" }),
  },
];

function missingFile(file: string | undefined): OwnerMessage {
  return { code: "node_file_missing", file: quote(file?.replace(/^\/app\//, "")) };
}

function missingPackage(specifier: string | undefined): OwnerMessage {
  return { code: "node_package_missing", name: quote(packageOf(specifier)) };
}

/** Returns the package of a specifier: `@scope/name/file` → `@scope/name`. */
function packageOf(specifier = ""): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
