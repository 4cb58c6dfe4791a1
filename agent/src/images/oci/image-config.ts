/**
 * Reads an image's configuration: what its layers are when unpacked, and how its author meant it to be run.
 */

import { z } from "zod";
import type { Architecture } from "../recipe.ts";
import { checkPlatform, parseDocument } from "./image-manifest.ts";
import { isDigest } from "./image-reference.ts";
import { OciError } from "./oci-error.ts";

/** Settings with which the image's author meant it to be run. */
export interface ImageConfig {
  environment: Record<string, string>;
  /** User as name or number, perhaps with `:group`; "" for root. */
  user: string;
  /** Working directory; "" where none is named. */
  workingDirectory: string;
  entrypoint: string[];
  cmd: string[];
  /** Architecture in OCI's terms, for example `amd64`. */
  architecture: string;
}

const words = z.array(z.string()).nullish();
const configSchema = z.object({
  os: z.string(),
  architecture: z.string(),
  variant: z.string().optional(),
  rootfs: z.object({
    type: z.literal("layers"),
    diff_ids: z.array(z.string().refine(isDigest, "a diff_id is sha256: and 64 hexadecimal digits")),
  }),
  config: z
    .object({
      Env: words,
      User: z.string().nullish(),
      WorkingDir: z.string().nullish(),
      Entrypoint: words,
      Cmd: words,
    })
    .nullish(),
});

/** Parses the configuration. Throws {@link OciError} where it is malformed or for another machine. */
export function parseImageConfig(
  body: Buffer,
  architecture: Architecture,
): { diffIds: string[]; config: ImageConfig } {
  const document = parseDocument(body, configSchema, "configuration");
  checkPlatform(
    {
      os: document.os,
      architecture: document.architecture,
      ...(document.variant === undefined ? {} : { variant: document.variant }),
    },
    architecture,
  );
  const { config } = document;
  return {
    diffIds: document.rootfs.diff_ids,
    config: {
      environment: parseEnvironment(config?.Env ?? []),
      user: config?.User ?? "",
      workingDirectory: config?.WorkingDir ?? "",
      entrypoint: config?.Entrypoint ?? [],
      cmd: config?.Cmd ?? [],
      architecture: document.architecture,
    },
  };
}

/** Parses `NAME=value` lines; a later one wins. */
function parseEnvironment(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const equals = line.indexOf("=");
      if (equals <= 0 || line.includes("\0"))
        throw new OciError(
          "unsupported",
          `the image sets a malformed variable: ${JSON.stringify(line.slice(0, 80))}`,
        );
      return [line.slice(0, equals), line.slice(equals + 1)];
    }),
  );
}
