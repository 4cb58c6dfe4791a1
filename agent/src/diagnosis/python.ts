/** Holds the rules for error messages of Python and pip. */

import { quote } from "@tijolo/protocol";
import { nativeCompileError } from "./native-modules.ts";
import { place, quoteFound, type Rule } from "./rule.ts";

/** Packages by module, for modules whose package has another name. */
const packageNames: Record<string, string> = {
  discord: "discord.py",
  telegram: "python-telegram-bot",
  dotenv: "python-dotenv",
  bs4: "beautifulsoup4",
  PIL: "pillow",
  cv2: "opencv-python-headless",
  yaml: "pyyaml",
  sklearn: "scikit-learn",
  MySQLdb: "mysqlclient",
  psycopg2: "psycopg2-binary",
  googleapiclient: "google-api-python-client",
};

export const pythonRules: readonly Rule[] = [
  {
    // Before Python 3.13 an AttributeError of this kind does not say the file.
    pattern:
      /partially initialized module '([^'\n]+)'(?![^\n]*\/(?:\.venv|site-packages)\/)(?:[^\n]*\((\/[^)\n]+\.py)\))?|consider renaming '([^'\n]+)'/,
    explain: ([, module, file, renamed = file]) => ({
      code: "python_name_taken",
      file: quote(renamed === undefined ? `${module?.replaceAll(".", "/")}.py` : inProject(renamed)),
    }),
  },
  {
    pattern: /ModuleNotFoundError: No module named '([^'\n]+)'; '([^'\n]+)' is not a package/,
    explain: ([, name, file]) => ({
      code: "python_file_instead_of_package",
      name: quote(name),
      file: quote(file),
    }),
  },
  {
    pattern: /ModuleNotFoundError: No module named '(([^'.\n]+)\.[^'\n]+)'/,
    explain: ([, name, top]) => ({ code: "python_submodule_missing", name: quote(name), top: quote(top) }),
  },
  {
    pattern: /ModuleNotFoundError: No module named '([^'.\n]+)'/,
    explain: ([, name = ""]) => ({
      code: "python_module_missing",
      name: quote(name),
      package: quote(packageNames[name] ?? name),
    }),
  },
  {
    pattern: /can't open file '(?:\/app\/)?([^'\n]+)'/,
    explain: ([, file]) => ({ code: "file_missing", file: quote(file) }),
  },
  {
    pattern:
      /File "([^"\n]+)", line (\d+)\n(?:[^\n]*\n){1,3}(SyntaxError|IndentationError|TabError): ([^\n]+)/,
    explain: ([, file, line, kind, error]) => ({
      code: kind === "SyntaxError" ? "syntax_error" : "indentation_error",
      ...place(file, line),
      error: quote(error),
    }),
  },
  {
    pattern:
      /ImportError: cannot import name '([^'\n]+)' from '[^'\n]+' \((\/app\/(?![^)\n]*(?:\.venv|site-packages)\/)[^)\n]+)\)/,
    explain: ([, name, file]) => ({
      code: "python_name_undefined",
      name: quote(name),
      file: quote(inProject(file)),
    }),
  },
  {
    pattern: /ImportError: cannot import name '([^'\n]+)' from '([^'\n]+)'/,
    explain: ([, name, from]) => ({
      code: "python_name_of_other_version",
      name: quote(name),
      from: quote(from),
    }),
  },
  {
    pattern:
      /requires a different Python: [^\n]*not in '([^'\n]+)'|Requires-Python ([<>=!~0-9., ]+)[^]*No matching distribution|python version [^\n]* is not supported/i,
    explain: ([, first, second], { version }) => ({
      code: "python_version_refused",
      version,
      wanted: quoteFound(first ?? second),
    }),
  },
  {
    pattern: /after connection broken by (?:[^\n]*\n){1,4}[^\n]*No matching distribution found for/,
    explain: () => ({ code: "python_index_unreachable" }),
  },
  {
    pattern: /No matching distribution found for ([^\s]+)/,
    explain: ([, name], { version }) => ({ code: "python_package_unknown", name: quote(name), version }),
  },
  nativeCompileError,
  {
    pattern:
      /command '[^'\n]*(?:gcc|cc|g\+\+)' failed: No such file|Python\.h: No such file|Unable to find (?:a )?compiler/,
    explain: () => ({ code: "python_compiler_missing" }),
  },
  {
    isConsequence: true,
    pattern: /Failed building wheel|command '[^'\n]*(?:gcc|cc|g\+\+)' failed/,
    explain: () => ({ code: "python_compiler_missing" }),
  },
  {
    pattern: /Could not open requirements file(?:: \[Errno 2\] No such file or directory: '([^'\n]+)')?/,
    explain: ([, file = "requirements.txt"]) => ({
      code: "requirements_missing",
      file: quote(inProject(file)),
    }),
  },
  {
    pattern: /Invalid requirement: ([^\n]+)/,
    explain: ([, line]) => ({ code: "requirements_invalid", line: quote(line) }),
  },
];

/** Returns the file's path as the upload has it. */
function inProject(file: string | undefined): string | undefined {
  return file?.replace(/^\/app\//, "");
}
