/** Reads the images that an operator names: `ruby 4.0`. */

import { imageVersions, type ImageVersion } from "@tijolo/protocol";
import { UsageError } from "../../../command-failure.ts";
import type { Messages } from "../../../messages.ts";
import { readChoice } from "../../../command-line/parse-arguments.ts";

/** Reads the image. Throws UsageError without both words, and for an unknown version. */
export function readImage(words: readonly string[], messages: Messages): ImageVersion {
  const [language, version] = words;
  if (language === undefined || version === undefined)
    throw new UsageError(messages.usage.missing(messages.image.languageAndVersion));
  const known = [...new Set(imageVersions.map((each) => each.language))];
  const found = readChoice(language, messages.image.language, known, messages);
  const ofLanguage = imageVersions.filter((each) => each.language === found);
  const versions = ofLanguage.map((each) => each.version);
  readChoice(version, messages.image.versionOf(language), versions, messages);
  const image = ofLanguage.find((each) => each.version === version);
  if (image === undefined) throw new Error(`${language} ${version} was chosen, but is no image`);
  return image;
}

/**
 * Reads the names of system packages. Central checks them: which packages there are depends on the operator.
 */
export function readPackages(text: string | undefined): string[] {
  return (text ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

export function imageName({
  language,
  version,
  systemPackages: packages = [],
}: ImageVersion & { systemPackages?: string[] }): string {
  return [`${language} ${version}`, ...packages].join(" + ");
}
