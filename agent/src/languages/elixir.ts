/** Defines the rules of Elixir projects: `mix.exs`, compiled on each upload (spec: "Language behaviour"). */

import type { InstallStep, SourceTree, LanguageRules } from "./language-rules.ts";

export const elixir: LanguageRules = {
  plan,
  files: [],
  path: [],
  environment: { MIX_ENV: "prod", MIX_HOME: "/app/.mix", HEX_HOME: "/app/.hex" },
  installEnvironment: () => ({}),
  runEnvironment: () => ({}),
};

function plan(tree: SourceTree): InstallStep[] {
  const project = tree.read("mix.exs");
  if (project === undefined) return [];
  const compile: InstallStep = { name: "build", command: "mix compile", inputs: null };
  if (!/\bdeps\b/.test(project)) return [compile];
  return [
    {
      ...compile,
      command:
        "mix local.hex --if-missing --force && mix local.rebar --if-missing --force && mix deps.get --only prod && mix compile",
    },
  ];
}
