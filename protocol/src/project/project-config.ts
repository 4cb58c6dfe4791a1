/** `svc.json`, the upload's form fields and PATCH: one schema, one set of rules (spec: PATCH rule 1). */

import { z } from "zod";
import { inputReasons } from "../contract/input-reasons.ts";
import { systemPackages, type SystemPackage } from "./system-package.ts";
import { visibleName } from "../values/visible-name.ts";

const isWhole = (value: string) => value.isWellFormed();
const text = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[^\p{Cc}]*$/u, inputReasons.controlCharacter.pt)
    .refine(isWhole, inputReasons.halfCharacter.pt);
/**
 * A path relative to the project root that cannot leave it. A dot of a pattern would not pass the line
 * separators U+2028 and U+2029.
 */
const relativePath = text(255)
  .regex(/^(?!\/)/, inputReasons.absolutePath.pt)
  .regex(/^(?!([\s\S]*\/)?\.\.(\/|$))/, inputReasons.pathOutside.pt)
  .regex(/^[^\\]*$/, inputReasons.backslash.pt);

/** One that begins like an option would be read as one. */
const entryText = relativePath.regex(/^(?!-)/, inputReasons.leadingHyphen.pt);
/** The file that is started. */
export const entryFile = entryText.min(1);

export const projectName = visibleName(40);
/** May have several lines. */
export const projectDescription = z
  .string()
  .max(200)
  .regex(/^(?:[^\p{Cc}]|[\t\n\r])*$/u, inputReasons.controlCharacter.pt)
  .refine(isWhole, inputReasons.halfCharacter.pt);

/**
 * Fields that a person sets, all optional; unknown ones are an error. What has a code of its own, or depends
 * on plan or language, comes later: any text is a language, a version or a subdomain here, and any whole
 * number is a memory.
 */
const settingFields = {
  name: projectName,
  description: projectDescription,
  type: z.enum(["bot", "site"]),
  language: z.string(),
  version: z.string(),
  /** Empty: none, also where a form says so over svc.json. */
  entry: entryText,
  command: text(1000),
  installCommand: text(1000).nullable(),
  root: relativePath,
  memoryMb: z.int(),
  subdomain: z.string(),
  port: z.int().min(1).max(65_535),
  systemPackages: z
    .array(z.enum(systemPackages))
    .transform((names): SystemPackage[] => systemPackages.filter((name) => names.includes(name))),
};

const fields = z.strictObject(settingFields).partial();

/** The contents of `svc.json`. */
export const svcJson = fields.extend({ $schema: z.string().optional() });

/** Body of PATCH: at least one field. */
export const projectPatch = fields.refine((patch) => Object.keys(patch).length > 0, inputReasons.noFields.pt);

/** Settings as a person gave them, from `svc.json`, the form or PATCH. */
export type ProjectConfig = z.infer<typeof fields>;

const numberText = z
  .string()
  .regex(/^-?\d{1,15}$/, inputReasons.badWholeNumber.pt)
  .transform(Number);

/**
 * The upload's form fields: text, from which numbers and lists are read; then the rules of `svc.json` apply.
 */
export const uploadForm = fields.extend({
  memoryMb: numberText.pipe(settingFields.memoryMb).optional(),
  port: numberText.pipe(settingFields.port).optional(),
  systemPackages: z
    .string()
    .max(1000)
    .transform((list) =>
      list
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== ""),
    )
    .pipe(settingFields.systemPackages)
    .optional(),
  start: z.enum(["true", "false"]).optional(),
});

export type UploadForm = z.infer<typeof uploadForm>;
