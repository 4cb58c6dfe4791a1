/** Builds uploads of the projects of `examples/`, as their users send them. */

import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Upload } from "../projects/deployed-project.ts";

const examples = join(import.meta.dirname, "../../../../examples");

/**
 * Builds an upload. `config` is laid over the example's own svc.json. `more` are files that its user makes
 * before sending it.
 */
export function exampleUpload(
  name: string,
  config: Record<string, unknown> = {},
  more: Record<string, Uint8Array> = {},
): Upload {
  const cwd = join(examples, name);
  const paths = globSync("**", { cwd, exclude: [".tijolo/**", "svc.json"] }).filter((path) =>
    statSync(join(cwd, path)).isFile(),
  );
  const files = Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(cwd, path))]));
  const own = JSON.parse(readFileSync(join(cwd, "svc.json"), "utf8")) as Record<string, unknown>;
  return { files: { ...files, ...more }, config: { ...own, ...config } };
}
