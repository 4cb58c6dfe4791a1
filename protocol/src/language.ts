/** The languages and versions a project can run on, and how a start command relates to its entry file (spec: Project). */

export const languages = ["node", "python", "java", "go", "php", "ruby", "dotnet", "elixir", "static"] as const;

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

/** What a project gets that names no version: the newest long-term or stable release that has a Tijolo image. */
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

/** `supported` of the error `unsupported_language`: each language with its versions. */
export function supportedLanguages(): Record<string, string[]> {
  return Object.fromEntries(languages.map((language) => [language, [...languageVersions[language]]]));
}

const file = "([^\\s'\"`$;&|<>()*?\\\\]+)";
const entryPatterns: Partial<Record<Language, readonly RegExp[]>> = {
  node: [new RegExp(`^node ${file}$`), new RegExp(`^tsx ${file}$`)],
  python: [new RegExp(`^python ${file}$`)],
  java: [new RegExp(`^java -jar ${file}$`)],
  php: [new RegExp(`^php ${file}$`)],
  ruby: [new RegExp(`^ruby ${file}$`)],
  dotnet: [new RegExp(`^dotnet ${file.replace("+)", "+\\.dll)")}$`)],
  elixir: [new RegExp(`^mix run --no-halt ${file}$`)],
};

/**
 * The entry file that a start command runs, or null when the command does something else (`npm start`).
 * The command must be exactly `<interpreter> <file>` (spec: "entry and command relation").
 */
export function entryOfCommand(language: Language, command: string): string | null {
  for (const pattern of entryPatterns[language] ?? []) {
    const entry = pattern.exec(command)?.[1];
    if (entry !== undefined && !entry.startsWith("-")) return entry;
  }
  return null;
}

/** The service's own PHP server, the start command of a PHP site (spec: "Language behaviour"); before the file that opens the site. */
export const phpServer = "php-server";

/** What the build of a Go project makes, relative to the project's root. */
export const goProgram = "out/app";

/** The start command that an entry file stands for when no command is given. */
export function commandOfEntry(language: Language, entry: string): string {
  switch (language) {
    case "node":
      return /\.[cm]?tsx?$/.test(entry) ? `tsx ${entry}` : `node ${entry}`;
    case "python":
      return `python ${entry}`;
    case "java":
      return `java -jar ${entry}`;
    case "php":
      return `php ${entry}`;
    case "ruby":
      return `ruby ${entry}`;
    case "dotnet":
      return entry.endsWith(".dll") ? `dotnet ${entry}` : "dotnet out/app.dll";
    case "elixir":
      return `mix run --no-halt ${entry}`.trim();
    case "go":
      return `./${goProgram}`;
    case "static":
      return "";
  }
}
