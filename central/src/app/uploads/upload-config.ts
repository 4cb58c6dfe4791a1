/** Builds the configuration of an upload: `svc.json` of the archive with the form's fields over it. */

import {
  AppError,
  resolveSettings,
  svcJson,
  type ConfigChange,
  type Plan,
  type ProjectConfig,
  type ProjectSettings,
  type UploadForm,
} from "@tijolo/protocol";
import { refusalDetails, uploadDetails } from "@tijolo/protocol/texts/central";
import type { z } from "zod";
import { problemOf } from "../input-problem.ts";
import { inputParsing } from "../input-reason.ts";
import { findJsonFault } from "./json-fault.ts";

/** Parses `svc.json`. Throws `invalid_config` with the place of what is no JSON, or the first wrong field. */
export function parseSvcJson(written: string): ConfigChange {
  const text = written.replace(/^\uFEFF/, "");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const { line, column, kind } = findJsonFault(text) ?? { line: 1, column: 1, kind: "other" };
    throw new AppError("invalid_config", { detail: uploadDetails.notJson(line, column, kind), cause });
  }
  const parsed = svcJson.safeParse(value, inputParsing);
  if (!parsed.success) throw invalidConfig(parsed.error);
  const { $schema: _schema, ...config } = parsed.data;
  return config;
}

const fileName = "svc.json";

/** Returns the error of a configuration that breaks its schema. */
export function invalidConfig(error: z.ZodError): AppError {
  return new AppError("invalid_config", problemOf(error, { pt: fileName, en: fileName }));
}

/**
 * Resolves as {@link resolveSettings} does; what is missing although there is an `svc.json` is named as a
 * wrong field of it.
 */
export function resolveUpload(config: ProjectConfig, plan: Plan, hasSvcJson: boolean): ProjectSettings {
  try {
    return resolveSettings(config, plan);
  } catch (cause) {
    if (hasSvcJson && cause instanceof AppError && cause.code === "missing_config") {
      const field = config.language === undefined ? "language" : "command";
      throw new AppError("invalid_config", {
        extra: { field },
        detail: refusalDetails.svcJsonLacks(field),
        cause,
      });
    }
    throw cause;
  }
}

export function changeOfForm({ start: _start, ...config }: UploadForm): ConfigChange {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}
