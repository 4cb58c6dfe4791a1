/**
 * Stores what the ledger knows of images: the operator's overrides, as central last sent them, and the images
 * that operators have pulled to be kept.
 */

import type { ImageNeed, ImageOverride } from "@tijolo/protocol";
import type { Database, Statement } from "better-sqlite3";

/** An image that stays on this host whether a project uses it or not. */
export interface PulledImage {
  image: ImageNeed;
  /** Directories, as the image store returns them. */
  layers: string[];
}

export class ImageTable {
  readonly #selectOverrides: Statement<[], ImageOverride>;
  readonly #deleteOverrides: Statement<[]>;
  readonly #insertOverride: Statement<[string, string, string]>;
  readonly #selectPulled: Statement<[], { body: string }>;
  readonly #savePulled: Statement<[string, string]>;
  readonly #deletePulled: Statement<[string]>;

  constructor(file: Database) {
    this.#selectOverrides = file.prepare(
      "SELECT language, version, reference FROM image_override ORDER BY language, version",
    );
    this.#deleteOverrides = file.prepare("DELETE FROM image_override");
    this.#insertOverride = file.prepare(
      "INSERT OR REPLACE INTO image_override (language, version, reference) VALUES (?, ?, ?)",
    );
    this.#selectPulled = file.prepare("SELECT body FROM pulled_image ORDER BY name");
    this.#savePulled = file.prepare("INSERT OR REPLACE INTO pulled_image (name, body) VALUES (?, ?)");
    this.#deletePulled = file.prepare("DELETE FROM pulled_image WHERE name = ?");
  }

  overrides(): ImageOverride[] {
    return this.#selectOverrides.all();
  }

  /** Replaces all overrides. Must be called inside a transaction. */
  replaceOverrides(overrides: readonly ImageOverride[]): void {
    this.#deleteOverrides.run();
    for (const { language, version, reference } of overrides)
      this.#insertOverride.run(language, version, reference);
  }

  pulled(): PulledImage[] {
    return this.#selectPulled.all().map(({ body }) => JSON.parse(body) as PulledImage);
  }

  /** Replaces an earlier pull of the same image. */
  savePulled(pulled: PulledImage): void {
    this.#savePulled.run(nameOf(pulled.image), JSON.stringify(pulled));
  }

  forgetPulled(image: ImageNeed): void {
    this.#deletePulled.run(nameOf(image));
  }
}

function nameOf({ language, version, systemPackages }: ImageNeed): string {
  return [language, version, ...[...new Set(systemPackages)].sort()].join(" ");
}
