/** The language versions that run on an image, and how people call them. */

import { languages, languageVersions, type Language } from "@tijolo/protocol/choices";

export interface Version {
  language: Language;
  version: string;
}

/** Static sites run on none. */
export const imageVersions: readonly Version[] = languages
  .filter((language) => language !== "static")
  .flatMap((language) => languageVersions[language].map((version) => ({ language, version })));

export const versionName = ({ language, version }: Version): string => `${language} ${version}`;
