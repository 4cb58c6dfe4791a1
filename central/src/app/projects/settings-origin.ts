/** Decides which settings still follow the uploads after a person has set some of them. */

import type { ConfigChange, ConfigField } from "@tijolo/protocol";
import type { SettingsOrigin } from "../../store/tables/projects/version-config.ts";

/**
 * Returns the origin of the settings after a PATCH or the panel has set these fields, which follow no upload
 * any more. Entry and command are one thing, the start.
 */
export function withoutFields(
  origin: SettingsOrigin,
  fields: ConfigChange,
  { isOtherLanguage }: { isOtherLanguage: boolean },
): SettingsOrigin {
  return {
    ...origin,
    isVersionChosen: fields.version === undefined && (origin.isVersionChosen || isOtherLanguage),
    svcJson: origin.svcJson.filter((field) => !isNamed(fields, field)),
  };
}

const startFields: readonly string[] = ["entry", "command"];

/** True when a change names the field, or the other half of the start. */
export function isNamed(config: ConfigChange, field: string): boolean {
  const fields = startFields.includes(field) ? startFields : [field];
  return fields.some((name) => config[name as ConfigField] !== undefined);
}
