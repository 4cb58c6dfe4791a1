/** Defines the rules of Ruby projects: `Gemfile`. */

import type { InstallStep, SourceTree, LanguageRules } from "./language-rules.ts";

const gems = "/app/vendor/gems";

export const ruby: LanguageRules = {
  plan,
  files: [],
  path: [`${gems}/bin`],
  // Found by `ruby main.rb` as well as by `bundle exec`.
  environment: {
    GEM_HOME: gems,
    BUNDLE_PATH__SYSTEM: "true",
    BUNDLE_WITHOUT: "development:test",
    BUNDLE_SILENCE_ROOT_WARNING: "true",
  },
  installEnvironment: () => ({}),
  runEnvironment: () => ({
    RACK_ENV: "production",
    RAILS_ENV: "production",
    RAILS_LOG_TO_STDOUT: "1",
    RAILS_SERVE_STATIC_FILES: "1",
  }),
};

function plan(tree: SourceTree): InstallStep[] {
  const gemfile = tree.read("Gemfile");
  if (gemfile === undefined) return [];
  const hasLock = tree.has("Gemfile.lock");
  const isSelfContained = hasLock && !/\b(path|gemspec|eval_gemfile|require_relative|File)\b/.test(gemfile);
  return [
    {
      name: "dependencies",
      command: `${hasLock ? "BUNDLE_FROZEN=true " : ""}bundle install --jobs 2`,
      inputs: isSelfContained ? ["Gemfile", "Gemfile.lock", ".ruby-version", ".tool-versions"] : null,
    },
  ];
}
