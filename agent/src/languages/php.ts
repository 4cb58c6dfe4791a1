/**
 * Defines the rules of PHP projects: `composer.json`; a site is served by our own PHP server (spec: "Language
 * behaviour").
 */

import { join } from "node:path";
import { phpServer } from "@tijolo/protocol";
import type { InstallStep, SourceTree, LanguageRules } from "./language-rules.ts";

export const php: LanguageRules = {
  plan,
  files: [
    { source: join(import.meta.dirname, "php-server.sh"), target: `/usr/local/bin/${phpServer}` },
    { source: join(import.meta.dirname, "php-server.lua"), target: "/usr/local/lib/php-server.lua" },
  ],
  path: ["/app/vendor/bin"],
  environment: {
    COMPOSER_NO_INTERACTION: "1",
    COMPOSER_ALLOW_SUPERUSER: "1",
    COMPOSER_CACHE_DIR: "/dev/null",
  },
  installEnvironment: () => ({}),
  runEnvironment: () => ({}),
};

/**
 * Fields that make the result depend on more of the upload than the two files: scripts, plugins, packages of
 * the upload itself, and class maps, of which an optimized autoloader makes one of every folder of classes.
 */
const readsMore = /"(scripts|allow-plugins|classmap|path|files|optimize-autoloader|classmap-authoritative)"/;

function plan(tree: SourceTree): InstallStep[] {
  const text = tree.read("composer.json");
  if (text === undefined) return [];
  const isSelfContained = tree.has("composer.lock") && !readsMore.test(text);
  return [
    {
      name: "dependencies",
      command: "composer install --no-dev --no-progress --prefer-dist",
      inputs: isSelfContained ? ["composer.json", "composer.lock", "auth.json"] : null,
    },
  ];
}
