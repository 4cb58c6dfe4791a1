/** The recipe of each language version that an image exists for. */

import type { Language } from "@tijolo/protocol";
import type { Architecture, BootstrapLayer, NpmLayer, NpmPackage, Recipe } from "./recipe.ts";

const basePackages = ["ca-certificates", "libstdc++6", "tzdata"];

const debianBase: BootstrapLayer = {
  kind: "bootstrap",
  revision: 1,
  suite: "trixie",
  packages: basePackages,
  title: "Debian trixie",
};

const debianPython: BootstrapLayer = {
  kind: "bootstrap",
  revision: 1,
  suite: "trixie",
  packages: [...basePackages, "python-is-python3", "python3", "python3-pip", "python3-venv"],
  title: "Debian trixie with Python 3.13",
};

interface NodeRelease {
  version: string;
  integrity: Record<Architecture, string>;
  npm: { version: string; integrity: string };
}

const nodeReleases: Record<string, NodeRelease> = {
  "24": {
    version: "24.21.0",
    integrity: {
      x64: "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
      arm64: "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
    },
    npm: {
      version: "11.21.2",
      integrity: "sha512-7HPApk+AflMUavSseL1Pm6CnYqMIHk53x+KmuhqmTDqPkjPMgxIpTPcTqsE91EKNw4gFBJV9fnXiSdGm1DXq9A==",
    },
  },
  "22": {
    version: "22.23.3",
    integrity: {
      x64: "sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==",
      arm64: "sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==",
    },
    npm: {
      version: "10.9.9",
      integrity: "sha512-1g+6jLQvaIuB4zwvHL7yrXuXcWZwDsCtBX8bbWDqbvJSSr9nPiDDWTHNgwXR27iIcTTW7v3A57hDW9RYv2W4Yg==",
    },
  },
};

/** The recipe of a language version, or undefined when there is none yet. `static` needs no container: it has no sources. */
export function findRecipe(language: Language, version: string, architecture: Architecture): Recipe | undefined {
  if (language === "static") return { language, version, sources: [] };
  if (language === "python" && version === "3.13") {
    return { language, version, sources: [{ kind: "debian", layers: [debianPython] }] };
  }
  const release = language === "node" ? nodeReleases[version] : undefined;
  if (release === undefined) return undefined;
  return { language, version, sources: [{ kind: "debian", layers: [nodeLayer(release, architecture), debianBase] }] };
}

/** Node's own build, with the headers that native addons are compiled against, and npm. */
function nodeLayer(release: NodeRelease, architecture: Architecture): NpmLayer {
  const node: NpmPackage = {
    name: `node-linux-${architecture}`,
    version: release.version,
    integrity: release.integrity[architecture],
    place: [
      { from: "bin/node", to: "usr/local/bin/node" },
      { from: "include/node", to: "usr/local/include/node" },
    ],
  };
  const npm: NpmPackage = { name: "npm", ...release.npm, place: [{ from: ".", to: "usr/local/lib/node_modules/npm" }] };
  return {
    kind: "npm",
    revision: 1,
    packages: [node, npm],
    links: [
      { path: "usr/local/bin/npm", target: "../lib/node_modules/npm/bin/npm-cli.js" },
      { path: "usr/local/bin/npx", target: "../lib/node_modules/npm/bin/npx-cli.js" },
    ],
    title: `Node.js ${release.version} with npm ${release.npm.version}`,
  };
}
