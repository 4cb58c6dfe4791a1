import type { Language } from "../nouns/language.ts";

const endings: readonly [RegExp, Language][] = [
  [/\.[cm]?[jt]sx?$/, "node"],
  [/\.py$/, "python"],
  [/\.jar$/, "java"],
  [/\.go$/, "go"],
  [/\.php$/, "php"],
  [/\.rb$/, "ruby"],
  [/\.(?:csproj|fsproj|dll)$/, "dotnet"],
  [/\.exs?$/, "elixir"],
  [/\.html?$/, "static"],
];

/** Returns the language of a program's main file; null for an ending of another kind. */
export function languageOfFile(path: string): Language | null {
  return endings.find(([ending]) => ending.test(path))?.[1] ?? null;
}
