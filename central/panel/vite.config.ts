/** Builds the panel: one chunk per page, no inline script or style, the table of routes without schemas. */

import { createHash } from "node:crypto";
import react from "@vitejs/plugin-react";
import { errorTable, operations, routesOf, type Operation } from "@tijolo/protocol";
import { defineConfig, type Plugin } from "vite";
import { examples } from "./vite/examples.ts";

/** The order of the style layers stands first in each style sheet: whichever arrives first sets it. */
const layerOrder = "@layer reset, design, ui, parts, pages;";

// oxlint-disable-next-line import/no-default-export -- Vite reads the default export.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), contract(), examples(), layersInOrder(), namedBuild()],
  build: {
    target: "es2022",
    // An asset inside a style sheet or a script would be a `data:` address, which the policy refuses for fonts.
    assetsInlineLimit: 0,
    // The polyfill is an inline script's work in old browsers only.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    sourcemap: false,
    // What each page needs of others' code is one file: many small ones compress worse.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: "base",
              test: /node_modules\/(?:react|react-dom|scheduler|@tanstack\/(?!react-virtual|virtual-core)[\w-]+)\//,
            },
          ],
        },
      },
    },
  },
  worker: { format: "es" },
  server: { host: "127.0.0.1" },
});

/**
 * Provides what the panel needs of the contract, as plain tables: the operations and the errors themselves carry
 * their schemas, which would be half of what a browser loads. `virtual:routes` has method and path of each
 * operation, `virtual:errors` the texts of each error, `virtual:changes` what each operators' change is called.
 */
function contract(): Plugin {
  const modules: Record<string, () => string> = {
    "virtual:routes": () => `export const routes = ${JSON.stringify(routesOf(operations))};`,
    "virtual:changes": () => `export const changes = ${JSON.stringify(changeTexts())};`,
    "virtual:errors": () => `export const errors = ${JSON.stringify(errorTexts())};`,
  };
  return {
    name: "tijolo-contract",
    resolveId: (id) => (id in modules ? `\0${id}` : null),
    load: (id) => modules[id.slice(1)]?.() ?? null,
  };
}

/** The changes of operators, by their name: the contract's own summary in both languages. */
function changeTexts(): Record<string, unknown> {
  const rows = Object.entries<Operation>(operations);
  const changes = rows.filter(([, { access, effect }]) => access.kind === "operator" && effect === "change");
  return Object.fromEntries(changes.map(([name, { summary }]) => [name, summary]));
}

function errorTexts(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(errorTable).map(([code, { status, message, messageEn, mayRetry }]) => [
      code,
      { status, pt: message, en: messageEn, mayRetry },
    ]),
  );
}

function layersInOrder(): Plugin {
  return {
    name: "tijolo-layers",
    generateBundle(_options, bundle) {
      for (const asset of Object.values(bundle)) {
        if (asset.type !== "asset" || !asset.fileName.endsWith(".css")) continue;
        asset.source = layerOrder + String(asset.source);
      }
    },
  };
}

/**
 * Names the build in its document, by the names of all its files, which contain the hashes of what is in them. A
 * page compares this with what central serves, and central reads it from there.
 */
function namedBuild(): Plugin {
  return {
    name: "tijolo-build-name",
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle }) => {
        if (bundle === undefined) return [];
        const names = Object.keys(bundle).sort().join("\n");
        const content = createHash("sha256").update(names).digest("hex").slice(0, 16);
        return [{ tag: "meta", attrs: { name: "tijolo-build", content }, injectTo: "head" }];
      },
    },
  };
}
