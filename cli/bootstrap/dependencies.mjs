/** Installs the workspace's dependencies when what decides them differs from what was installed last. */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError, run } from "./child.mjs";
import { toolPaths } from "./node-tools.mjs";
import { PreparationError } from "./preparation-error.mjs";

const installTimeoutMs = 15 * 60_000;
const installArguments = ["install", "--frozen-lockfile", "--reporter=append-only"];
const decidingFiles = [
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "package.json",
  ...["protocol", "central", "central/panel", "agent", "cli", "test"].map((name) => `${name}/package.json`),
];

/** True when the last install was of exactly these files, into a folder that still exists. */
export function areDependenciesReady(root) {
  if (!existsSync(join(root, "node_modules", ".modules.yaml"))) return false;
  try {
    return readFileSync(stampFile(root), "utf8") === stampOf(root);
  } catch {
    return false;
  }
}

export async function installDependencies(root, { node, texts, progress, env }) {
  const stamp = stampOf(root);
  try {
    await progress.step(texts.installDependencies, (onLine) =>
      run([...pnpmCommand(root, node), ...installArguments], {
        cwd: root,
        env: { ...env, CI: "true" },
        timeoutMs: installTimeoutMs,
        onLine,
      }),
    );
  } catch (cause) {
    if (!(cause instanceof CommandError)) throw cause;
    throw new PreparationError(texts.dependenciesFailed, cause.tail);
  }
  mkdirSync(join(root, ".tools"), { recursive: true });
  writeFileSync(stampFile(root), stamp);
}

/** Returns the command of pnpm; where no tools are brought (macOS), it is the developer's own. */
function pnpmCommand(root, node) {
  const { pnpm } = toolPaths(root);
  return existsSync(pnpm) ? [node, pnpm] : ["pnpm"];
}

function stampFile(root) {
  return join(root, ".tools", "dependencies.sha256");
}

/** Returns a stamp of the files and of the folder's own path, because pnpm links absolute paths. */
function stampOf(root) {
  const hash = createHash("sha256").update(root);
  for (const name of decidingFiles) {
    const path = join(root, name);
    hash.update(`\0${name}\0`).update(existsSync(path) ? readFileSync(path) : "");
  }
  return `${hash.digest("hex")}\n`;
}
