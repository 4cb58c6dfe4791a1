/**
 * Defines the recipe of Node from its makers' builds in the npm registry, with the headers that native addons
 * are compiled against, and npm.
 */

import type { Architecture, ImageSource, LayerRecipe, NpmLayer, NpmPackage } from "../recipe.ts";
import { debianBase, languageLayer } from "./debian.ts";
import { nodePackageManagers } from "./node-package-managers.ts";

interface NodeRelease {
  version: string;
  integrity: Record<Architecture, string>;
  npm: { version: string; integrity: string };
  /** Packages that this build needs of Debian beyond the base; such versions have their own. */
  libraries?: readonly string[];
}

const npm10 = {
  version: "10.9.9",
  integrity:
    "sha512-1g+6jLQvaIuB4zwvHL7yrXuXcWZwDsCtBX8bbWDqbvJSSr9nPiDDWTHNgwXR27iIcTTW7v3A57hDW9RYv2W4Yg==",
};

const npm11 = {
  version: "11.21.2",
  integrity:
    "sha512-7HPApk+AflMUavSseL1Pm6CnYqMIHk53x+KmuhqmTDqPkjPMgxIpTPcTqsE91EKNw4gFBJV9fnXiSdGm1DXq9A==",
};

const nodeReleases: Record<string, NodeRelease> = {
  "20": {
    version: "20.20.2",
    integrity: {
      x64: "sha512-PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==",
      arm64:
        "sha512-LCXJnNTFiyGuYBw2gZSI5OBFMbkjAPt8sqD/NKrWoE2QmDgSubTqFng6GaNJ9EJ8HpxBMGcWWpbbcs4Vo+CnGg==",
    },
    npm: npm10,
  },
  "22": {
    version: "22.23.3",
    integrity: {
      x64: "sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==",
      arm64:
        "sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==",
    },
    npm: npm10,
  },
  "24": {
    version: "24.21.0",
    integrity: {
      x64: "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
      arm64:
        "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
    },
    npm: npm11,
  },
  "26": {
    version: "26.10.0",
    integrity: {
      x64: "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
      arm64:
        "sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==",
    },
    npm: npm11,
    libraries: ["libatomic1"],
  },
};

export function nodeSources(version: string, architecture: Architecture): readonly ImageSource[] | undefined {
  const release = nodeReleases[version];
  if (release === undefined) return undefined;
  return [
    {
      kind: "debian",
      why: "every version from one place, pinned by hash, on the base of the other languages",
      layers: [
        nodeLayer(release, architecture),
        nodePackageManagers(architecture),
        ...librariesLayer(release),
        debianBase("trixie"),
      ],
    },
    {
      kind: "oci",
      why: "where the npm registry or Debian's archive cannot be reached; has npm and yarn alone",
      reference: `docker.io/library/node:${version}-trixie-slim`,
      packages: [],
    },
  ];
}

function librariesLayer({ libraries = [] }: NodeRelease): LayerRecipe[] {
  return libraries.length === 0
    ? []
    : [languageLayer({ title: "Libraries of Node.js", suites: ["trixie"], packages: libraries })];
}

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
  const npm: NpmPackage = {
    name: "npm",
    ...release.npm,
    place: [{ from: ".", to: "usr/local/lib/node_modules/npm" }],
  };
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
