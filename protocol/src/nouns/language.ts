/** The languages and versions a project can run on (spec: Project). */

export const languages = [
  "node",
  "python",
  "java",
  "go",
  "php",
  "ruby",
  "dotnet",
  "elixir",
  "static",
] as const;

export type Language = (typeof languages)[number];

/** Allowed `version` values per language, oldest first (spec: "Allowed version values per language"). */
export const languageVersions: Record<Language, readonly string[]> = {
  node: ["20", "22", "24", "26"],
  python: ["3.11", "3.12", "3.13", "3.14"],
  java: ["21", "25"],
  go: ["1.26", "1.27"],
  php: ["8.4", "8.5"],
  ruby: ["3.4", "4.0"],
  dotnet: ["10"],
  elixir: ["1.20"],
  static: [""],
};

/** Version of a project that names none: the newest long-term or stable release that has a Tijolo image. */
export const defaultVersions: Record<Language, string> = {
  node: "24",
  python: "3.13",
  java: "25",
  go: "1.27",
  php: "8.4",
  ruby: "3.4",
  dotnet: "10",
  elixir: "1.20",
  static: "",
};

export function isLanguage(value: string): value is Language {
  return (languages as readonly string[]).includes(value);
}

export function isSupportedVersion(language: Language, version: string): boolean {
  return languageVersions[language].includes(version);
}

/** Returns `supported` of the error `unsupported_language`: each language with its versions. */
export function supportedLanguages(): Record<string, string[]> {
  return Object.fromEntries(languages.map((language) => [language, [...languageVersions[language]]]));
}
