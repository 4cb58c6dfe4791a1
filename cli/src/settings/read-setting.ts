/** Parses settings of a command line: text, which becomes what the schema of `svc.json` requires. */

import { svcJson } from "@tijolo/protocol";
import { z } from "zod";
import { UsageError } from "../command-failure.ts";
import type { Messages } from "../messages.ts";
import { findNearestName } from "../command-line/nearest-name.ts";

interface PropertySchema {
  type?: string | string[];
  anyOf?: PropertySchema[];
}

const properties = readProperties();

export const settingNames: readonly string[] = [...properties.keys()];

/** Checks a setting's name. Throws UsageError with the nearest name. */
export function checkSettingName(name: string, messages: Messages): void {
  if (properties.has(name)) return;
  const nearest = findNearestName(name, settingNames);
  const advice = nearest === null ? "" : ` ${messages.usage.didYouMeanWord(nearest)}`;
  throw new UsageError(`${noSuchSetting(name, messages)}${advice}`);
}

export function noSuchSetting(name: string, { errors }: Messages): string {
  return errors.noSuchSetting(name, settingNames.join(", "));
}

/** True when a word without `=` is a setting, or a misspelt one, rather than a project. */
export function isNearSetting(word: string): boolean {
  return findNearestName(word, settingNames) !== null;
}

/**
 * Reads numbers, true and false, lists with commas and `null` by the setting's type. A value that does not
 * fit stays text: the server refuses it and names the field.
 */
export function readSetting(name: string, text: string): unknown {
  const types = typesOf(properties.get(name) ?? {});
  if (types.includes("null") && text === "null") return null;
  if (types.includes("integer") && /^\d{1,9}$/.test(text)) return Number(text);
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  if (!types.includes("array")) return text;
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function typesOf({ type, anyOf }: PropertySchema): string[] {
  return [...(type === undefined ? [] : [type].flat()), ...(anyOf ?? []).flatMap(typesOf)];
}

function readProperties(): Map<string, PropertySchema> {
  const schema = z.toJSONSchema(svcJson, { io: "input", unrepresentable: "any" });
  return new Map(
    Object.entries(schema.properties ?? {}).filter(([name]) => name !== "$schema") as [
      string,
      PropertySchema,
    ][],
  );
}
