/**
 * Provides the tools besides npm that install and start projects of Node, in a layer that all versions of
 * Node share: pnpm, which fetches by itself the version that a project names; yarn 1 as `yarn` and the
 * current one as `yarn-berry`; Bun; and tsx.
 */

import type { Architecture, LayerLink, NpmLayer, NpmPackage } from "../recipe.ts";

/** The last pnpm that also runs on Node 20. */
const pnpm = modulePackage({
  name: "pnpm",
  version: "10.34.9",
  integrity:
    "sha512-9JtajqD97bRLs8DB1ldQkqU8KVDZW3rRXfEfF5dId6LeOgHAfpNOmyjOcW5RwJqUlixzBtCb4uHksYqMh2L9Mg==",
});

const yarn = modulePackage({
  name: "yarn",
  version: "1.22.22",
  integrity:
    "sha512-prL3kGtyG7o9Z9Sv8IPfBNrWTDmXB4Qbes8A9rEzt6wkJV8mUvoirjU0Mp3GGAU06Y0XQyA3/2/RQFVuK7MTfg==",
});

const yarnBerry = modulePackage({
  name: "@yarnpkg/cli-dist",
  version: "4.18.1",
  integrity:
    "sha512-EH+A4TxAtBWXKE0DGQxW9Bo9crXHLJ73mfxjTQJuv8XonNWWTpei8BQ5JjczHJNU9GROTycwMFn8iOvRIZXUcA==",
});

const tsx = modulePackage({
  name: "tsx",
  version: "4.23.15",
  integrity:
    "sha512-Yiex1Ovn8z2xPpOWckIiysV1SSyRMY9BkLF++q0yKiDxCqRhosKfMg3janKkiLBwZ5c/YryloKwGZcrEmtwxKw==",
});

/** Compiles for tsx. */
const esbuild = modulePackage({
  name: "esbuild",
  version: "0.28.2",
  integrity:
    "sha512-HKVLS8dvII+xoKW9kmqxbRKrnWEXfJJr/FZhhJmiqIB0e053QNYFqOBouTMO/k5sID4MvCiUCvv8b9M4h32wIA==",
});

const binaries: Record<Architecture, { esbuild: NpmPackage; bun: NpmPackage }> = {
  x64: {
    esbuild: modulePackage({
      name: "@esbuild/linux-x64",
      version: "0.28.2",
      integrity:
        "sha512-4xTZr1FUmSoQW4XIWmit3tzQrUTZM+N3P0XV8xROKYF50XfI7xeO90+1bZvNwxIufQ9hDQVRJH5YhgPVF8A/HQ==",
    }),
    bun: bunPackage(
      "x64",
      "sha512-IWX9BELoGHAUtMonkeSaNaZwXzRk+oDw6Mk+HBFXd3KHYIBNBsIGRupMZPcgNoDbJpLu6gAJjIoIVPZtt1aJ1g==",
    ),
  },
  arm64: {
    esbuild: modulePackage({
      name: "@esbuild/linux-arm64",
      version: "0.28.2",
      integrity:
        "sha512-pW4AC0P3it8c7do9MVM4p51FzHzdM/TZrerurgRcHJ2WTa1VQ1CIq18xncfpBJw4ojkiZZrKW2yIBWBP92j6Ug==",
    }),
    bun: bunPackage(
      "aarch64",
      "sha512-4BXmsSKnjOrlGWqZV4x/oWa7AVoR+B6lCXddMzOAXBIm3t50eslg9wb66gmtW1AamEQ1l1CDvmmruysEhqOWMg==",
    ),
  },
};

const links: readonly LayerLink[] = [
  { path: "usr/local/bin/pnpm", target: "../lib/node_modules/pnpm/bin/pnpm.cjs" },
  { path: "usr/local/bin/pnpx", target: "../lib/node_modules/pnpm/bin/pnpx.cjs" },
  { path: "usr/local/bin/yarn", target: "../lib/node_modules/yarn/bin/yarn.js" },
  { path: "usr/local/bin/yarnpkg", target: "../lib/node_modules/yarn/bin/yarn.js" },
  { path: "usr/local/bin/yarn-berry", target: "../lib/node_modules/@yarnpkg/cli-dist/bin/yarn.js" },
  { path: "usr/local/bin/bunx", target: "bun" },
  { path: "usr/local/bin/tsx", target: "../lib/node_modules/tsx/dist/cli.mjs" },
];

export function nodePackageManagers(architecture: Architecture): NpmLayer {
  const { bun, esbuild: esbuildBinary } = binaries[architecture];
  return {
    kind: "npm",
    revision: 1,
    packages: [pnpm, yarn, yarnBerry, bun, tsx, esbuild, esbuildBinary],
    links,
    title: "Node package managers",
  };
}

function modulePackage(pinned: Omit<NpmPackage, "place">): NpmPackage {
  return { ...pinned, place: [{ from: ".", to: `usr/local/lib/node_modules/${pinned.name}` }] };
}

function bunPackage(machine: string, integrity: string): NpmPackage {
  return {
    name: `@oven/bun-linux-${machine}`,
    version: "1.4.5",
    integrity,
    place: [{ from: "bin/bun", to: "usr/local/bin/bun" }],
  };
}
