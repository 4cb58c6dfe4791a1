/** Installs Node 24 and pnpm in `.tools`, from the npm registry, checked against their pinned hashes. */

import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandError, run } from "./child.mjs";
import { integrity, nodePackages, nodeVersion, pnpmVersion } from "./pinned.mjs";
import { PreparationError } from "./preparation-error.mjs";

const downloadTimeoutMs = 10 * 60_000;
/** Flags that shorten npm's timeouts, which are several minutes without a network. */
const networkFlags = [
  "--fetch-retries=1",
  "--fetch-retry-mintimeout=1000",
  "--fetch-retry-maxtimeout=3000",
  "--fetch-timeout=60000",
];

/** Returns where the tools of this machine's kind are below `root`; `node` is null where none exists. */
export function toolPaths(root, { platform, arch } = process) {
  const modules = join(root, ".tools", "node_modules");
  const nodePackage = platform === "linux" ? (nodePackages[arch] ?? null) : null;
  return {
    modules,
    nodePackage,
    node: nodePackage === null ? null : join(modules, nodePackage, "bin", "node"),
    pnpm: join(modules, "pnpm", "bin", "pnpm.mjs"),
  };
}

/**
 * True when what the folder holds is complete and of the pinned hashes: npm writes this record after
 * everything else.
 */
export function areToolsReady(root) {
  const { node, pnpm } = toolPaths(root);
  if (node === null) return isNewEnough(process.versions.node);
  return existsSync(node) && existsSync(pnpm) && findWrongPackage(root) === null;
}

/** Returns the Node that runs the tasks; this one where none is brought. */
export function usedNode(root) {
  return toolPaths(root).node ?? process.execPath;
}

/** Installs the tools; resolves with the Node to continue with. */
export async function installTools(root, { texts, progress, env }) {
  const { nodePackage, node, modules } = toolPaths(root);
  if (nodePackage === null || node === null) {
    if (isNewEnough(process.versions.node)) return process.execPath;
    throw new PreparationError(texts.unsupportedMachine(process.platform, process.arch));
  }
  const packages = [`${nodePackage}@${nodeVersion}`, `pnpm@${pnpmVersion}`];
  const flags = [
    "--prefix",
    join(root, ".tools"),
    "--no-save",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    ...networkFlags,
  ];
  try {
    await progress.step(texts.bringNode(nodeVersion), (onLine) =>
      run([...npmCommand(env), "install", ...flags, ...packages], {
        cwd: root,
        env,
        timeoutMs: downloadTimeoutMs,
        onLine,
      }),
    );
  } catch (cause) {
    if (!(cause instanceof CommandError)) throw cause;
    throw new PreparationError(/ENOENT/.test(cause.message) ? texts.noNpm : texts.npmFailed, cause.tail);
  }
  const wrong = findWrongPackage(root);
  if (wrong === null) return node;
  rmSync(modules, { recursive: true, force: true });
  throw new PreparationError(texts.wrongIntegrity(wrong));
}

/** Returns the `npm` that runs this, otherwise the one beside this Node, otherwise the one in PATH. */
function npmCommand(env) {
  const candidates = [
    env.npm_execpath ?? "",
    join(dirname(process.execPath), "..", "lib", "node_modules", "npm", "bin", "npm-cli.js"),
  ];
  const script = candidates.find((path) => path.endsWith("npm-cli.js") && existsSync(path));
  return script === undefined ? ["npm"] : [process.execPath, script];
}

/**
 * Returns the name of a package whose recorded hash is not the pinned one, or that is missing; null when all
 * are right.
 */
function findWrongPackage(root) {
  const { modules, nodePackage } = toolPaths(root);
  let recorded;
  try {
    recorded = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8")).packages;
  } catch {
    return "node_modules/.package-lock.json";
  }
  for (const name of [nodePackage, "pnpm"]) if (recorded[`node_modules/${name}`] === undefined) return name;
  for (const [path, entry] of Object.entries(recorded)) {
    const name = path.slice("node_modules/".length);
    if (integrity[name] !== entry.integrity) return name;
  }
  return null;
}

function isNewEnough(version) {
  return Number.parseInt(version, 10) >= 24;
}
