/**
 * Defines the rules of Node projects: the package manager of the lock file installs the dependencies, then
 * the project's own build script runs.
 */

import { z } from "zod";
import type { InstallStep, SourceTree, LanguageRules } from "./language-rules.ts";

export const node: LanguageRules = {
  plan,
  files: [],
  path: ["/app/node_modules/.bin"],
  environment: { npm_config_update_notifier: "false", npm_config_audit: "false", npm_config_fund: "false" },
  installEnvironment: (heapMb, imageHas) => ({
    NODE_OPTIONS: heapOptions(heapMb),
    ...(imageHas("usr/local/include/node/node_version.h") ? headersOfImage : {}),
  }),
  runEnvironment: (heapMb) => ({ NODE_ENV: "production", NODE_OPTIONS: heapOptions(heapMb) }),
};

/**
 * Makes node-gyp compile with the headers of the image, which are those of its Node, instead of downloading
 * them. The variable has this name because npm 11 warns of the shorter `npm_config_nodedir`.
 */
const headersOfImage = { npm_package_config_node_gyp_nodedir: "/usr/local" };

/**
 * Returns V8's heap options. The young generation comes on top of the old one, three times its semi-space; by
 * itself it would take as much as the rest of a small limit.
 */
function heapOptions(heapMb: number): string {
  const semiSpaceMb = Math.min(64, Math.max(2, Math.floor(heapMb / 24)));
  return `--max-old-space-size=${heapMb} --max-semi-space-size=${semiSpaceMb}`;
}

interface PackageManager {
  name: "pnpm" | "yarn" | "bun" | "npm";
  locks: readonly string[];
  /** Install command with a lock file; `free` is the one without. */
  frozen: string;
  free: string;
}

/**
 * Package managers; the first whose lock file a project has is used. `packageManager` of its package.json
 * decides between several, and where there is none.
 */
const managers: readonly PackageManager[] = [
  {
    name: "pnpm",
    locks: ["pnpm-lock.yaml"],
    frozen: "pnpm install --frozen-lockfile",
    free: "pnpm install --no-frozen-lockfile",
  },
  {
    name: "yarn",
    locks: ["yarn.lock"],
    frozen: "yarn install --frozen-lockfile --non-interactive",
    free: "yarn install --non-interactive",
  },
  {
    name: "bun",
    locks: ["bun.lock", "bun.lockb"],
    frozen: "bun install --frozen-lockfile",
    free: "bun install",
  },
  { name: "npm", locks: ["package-lock.json", "npm-shrinkwrap.json"], frozen: "npm ci", free: "npm install" },
];

/** Settings of the package managers that change what they install. */
const settingFiles = [".npmrc", ".yarnrc", ".yarnrc.yml", "bunfig.toml"];

const packageJson = z.looseObject({
  scripts: z.record(z.string(), z.string()).default({}),
  packageManager: z.string().optional().catch(undefined),
});

function plan(tree: SourceTree): InstallStep[] {
  const text = tree.read("package.json");
  if (text === undefined) return [];
  const { scripts, packageManager = "" } = parsePackage(text);
  const found = managers.filter(({ locks }) => locks.some((lock) => tree.has(lock)));
  const isNamed = ({ name }: PackageManager) => packageManager.startsWith(`${name}@`);
  const chosen = found.find(isNamed) ?? found[0];
  const manager = chosen ?? managers.find(isNamed);
  const isModern = manager?.name === "yarn" && isModernYarn(tree, packageManager);
  const automatic = chosen?.frozen ?? manager?.free ?? "npm install";
  const dependencies: InstallStep = {
    name: "dependencies",
    command: isModern ? modernYarn(tree) : automatic,
    inputs:
      chosen !== undefined && isSelfContained(tree, { text, scripts, locks: chosen.locks })
        ? ["package.json", ...chosen.locks, ...settingFiles]
        : null,
  };
  if (!("build" in scripts)) return [dependencies];
  const runner = isModern ? "yarn-berry" : (manager?.name ?? "npm");
  return [dependencies, { name: "build", command: `${runner} run build`, inputs: null }];
}

/** Decides by the lock file; when it is missing or still empty, by the `packageManager` field. */
function isModernYarn(tree: SourceTree, packageManager: string): boolean {
  const lock = tree.read("yarn.lock") ?? "";
  return lock.trim() === ""
    ? Number(/^yarn@(\d+)/.exec(packageManager)?.[1] ?? 1) >= 2
    : lock.includes("\n__metadata:");
}

/**
 * Version of the lock file that the image's yarn writes. The file of an earlier yarn is rewritten, which
 * `--immutable` would refuse.
 */
const yarnLockVersion = 10;

/**
 * Returns the install command of a modern yarn; afterwards `yarn` of the project's own scripts and commands
 * is the same program. Programs are run by plain Node, which finds packages in node_modules alone, unless the
 * upload brings its own map of them; that map must lead to no place outside the project.
 */
function modernYarn(tree: SourceTree): string {
  const isMapped = tree.has(".pnp.cjs");
  const isLinked = /^nodeLinker: *["']?(node-modules|pnpm)/m.test(tree.read(".yarnrc.yml") ?? "");
  const setting = isMapped
    ? "YARN_ENABLE_GLOBAL_CACHE=false "
    : isLinked
      ? ""
      : "YARN_NODE_LINKER=node-modules ";
  const isOwnFormat = (tree.read("yarn.lock") ?? "").includes(
    `\n__metadata:\n  version: ${yarnLockVersion}\n`,
  );
  const install = `${setting}yarn-berry install ${isOwnFormat ? "--immutable" : "--no-immutable"}`;
  return `${install} && mkdir -p node_modules/.bin && ln -sf "$(command -v yarn-berry)" node_modules/.bin/yarn`;
}

/** Scripts of the project itself that its package manager runs; what they read is not known. */
const installScripts = [
  "preinstall",
  "install",
  "postinstall",
  "prepublish",
  "preprepare",
  "prepare",
  "postprepare",
];

/**
 * Packages whose own install scripts read files of the project: prisma's make a client out of its
 * schema.prisma, puppeteer's fetch what its configuration file says. They are named here one by one: most
 * install scripts fetch or compile a native module and read nothing else, only npm's lock file tells which
 * packages have one, and without those packages hardly any real project would be found again.
 */
const readers = /"(@prisma\/client|prisma|puppeteer)"\s*:/;

/**
 * Patterns of the same packages in the lock files, for what other packages bring along: as installed there,
 * not as an optional peer of another package.
 */
const lockedReaders =
  /(^|["'/\s])(@prisma\/client|prisma|puppeteer)(@|\/\d)|node_modules\/(@prisma\/client|prisma|puppeteer)"/m;

interface InstalledBy {
  /** Text of package.json. */
  text: string;
  scripts: Record<string, string>;
  locks: readonly string[];
}

/** True when nothing but package.json, lock file and settings decides what is installed. */
function isSelfContained(tree: SourceTree, { text, scripts, locks }: InstalledBy): boolean {
  if (installScripts.some((name) => name in scripts)) return false;
  if (/"(file|link|portal|patch|workspace):|"workspaces"|"patchedDependencies"/.test(text)) return false;
  if (readers.test(text) || locks.some((lock) => lockedReaders.test(tree.read(lock) ?? ""))) return false;
  return (
    !tree.has("pnpm-workspace.yaml") &&
    !tree.has(".pnpmfile.cjs") &&
    !(tree.read(".yarnrc.yml") ?? "").includes("yarnPath")
  );
}

/** Parses a package.json; a malformed one counts as empty; the package manager explains it. */
export function parsePackage(text: string): z.infer<typeof packageJson> {
  try {
    return packageJson.parse(JSON.parse(text));
  } catch {
    return { scripts: {} };
  }
}
