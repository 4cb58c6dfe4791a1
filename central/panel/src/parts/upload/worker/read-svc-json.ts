/** Reads the svc.json of an upload as far as the panel needs it; the server judges it. */

import type { ProjectConfig } from "@tijolo/protocol/proposal";
import type { Inspection } from "./messages.ts";

const texts = [
  "name",
  "description",
  "type",
  "language",
  "version",
  "entry",
  "command",
  "installCommand",
  "root",
  "subdomain",
];
const numbers = ["memoryMb", "port"];

export function readSvcJson(text: string): NonNullable<Inspection["svcJson"]> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    return { problem: cause instanceof Error ? cause.message : String(cause) };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { problem: "{ }" };
  const known = Object.entries(value).filter(
    ([name, setting]) =>
      (texts.includes(name) && typeof setting === "string") ||
      (numbers.includes(name) && typeof setting === "number"),
  );
  return { config: Object.fromEntries(known) as ProjectConfig };
}
