/**
 * Decides how an upload changes the settings: which its `svc.json` and form name, which return to their
 * default because the `svc.json` no longer names them, and the version of the runtime when nobody names one.
 */

import {
  isLanguage,
  isResettable,
  type ConfigChange,
  type ConfigField,
  type Language,
  type ProjectConfig,
  type ProjectSettings,
} from "@tijolo/protocol";
import type { SettingsOrigin } from "../../store/tables/projects/version-config.ts";
import { mergeConfig, splitChange } from "../projects/merge-config.ts";
import { isNamed } from "../projects/settings-origin.ts";

/** Settings that an upload names, by their source. */
export interface SaidByUpload {
  /** Contents of `svc.json`; null: the archive has none, and no setting changes by absence. */
  svcJson: ConfigChange | null;
  form: ConfigChange;
  /** Returns the version that the project's files ask for, or the default. */
  chooseVersion: (language: Language) => string;
}

/** The project that new code is for. */
export interface BeforeUpload {
  settings: Pick<ProjectSettings, "language" | "version">;
  /**
   * Origin of the settings; null when it is not known which came with earlier uploads: then all of them stay.
   */
  origin: SettingsOrigin | null;
}

export interface FollowedUpload {
  patch: ProjectConfig;
  resets: ReadonlySet<ConfigField>;
  origin: Omit<SettingsOrigin, "entry">;
}

export function followUpload(said: SaidByUpload, before: BeforeUpload | null): FollowedUpload {
  const { svcJson, form } = said;
  const { config, resets: nulls } = splitChange(mergeConfig(svcJson ?? {}, form));
  const resets = new Set([...nulls, ...(svcJson === null ? [] : goneFields(said, before))]);
  const language = config.language ?? before?.settings.language ?? "";
  const isOtherLanguage = before !== null && language !== before.settings.language;
  const isVersionChosen =
    config.version === undefined &&
    (before === null || isOtherLanguage || resets.has("version") || before.origin?.isVersionChosen === true);
  const origin = { svcJson: namedFields(said, before), isVersionChosen };
  if (!isVersionChosen || !isLanguage(language)) return { patch: config, resets, origin };
  const version = said.chooseVersion(language);
  resets.delete("version");
  const isSame = version === before?.settings.version && !isOtherLanguage;
  return { patch: isSame ? config : { ...config, version }, resets, origin };
}

/** Returns the fields with a default that an earlier `svc.json` named and this one does not. */
function goneFields({ svcJson, form }: SaidByUpload, before: BeforeUpload | null): ConfigField[] {
  return (before?.origin?.svcJson ?? []).filter(
    (field): field is ConfigField => isResettable(field) && !Object.hasOwn({ ...svcJson, ...form }, field),
  );
}

/** Returns the fields whose value is that of the newest `svc.json`: the form sets them apart from it. */
function namedFields({ svcJson, form }: SaidByUpload, before: BeforeUpload | null): string[] {
  const names =
    svcJson === null
      ? (before?.origin?.svcJson ?? [])
      : Object.entries(svcJson).flatMap(([field, value]) =>
          value === null || value === undefined ? [] : [field],
        );
  return names.filter((field) => !isNamed(form, field));
}
