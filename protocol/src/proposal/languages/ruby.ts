/** Proposes settings for Ruby: by the gems, by config.ru, and by the files that programs usually begin in. */

import { versionFor } from "../../project/wanted-version.ts";
import {
  packagesNamedIn,
  proposeByCode,
  proposeEntry,
  proposeTypeByPackages,
  type KnownPackages,
  type LanguageProposal,
} from "./language-proposal.ts";

const file = "Gemfile";
const entries = ["main.rb", "bot.rb", "app.rb", "server.rb", "run.rb"];

const packages: KnownPackages = {
  bots: ["discordrb", "telegram-bot-ruby", "telegram-bot", "slack-ruby-bot", "cinch"],
  sites: ["rails", "sinatra", "hanami", "roda", "grape", "puma", "rackup"],
};

export const ruby: LanguageProposal = {
  sign: (tree) => tree.first([file, "config.ru", ...entries]),
  async propose(draft, tree) {
    const text = await tree.text(file);
    const names = packagesNamedIn(text, /^\s*gem\s+["']([\w.-]+)["']/gm);
    proposeTypeByPackages(draft, { names, file }, packages);
    if (!draft.hasStart && tree.has("bin/rails"))
      draft.add("command", "bin/rails server -b 0.0.0.0 -p $PORT", { code: "usual", file, name: "rails" });
    if (!draft.hasStart && tree.has("config.ru")) {
      draft.add("type", "site", { code: "file", file: "config.ru" });
      draft.add("command", "bundle exec rackup -o 0.0.0.0 -p $PORT", { code: "usual", file, name: "rack" });
    }
    proposeEntry(draft, tree, entries);
    await proposeByCode(draft, tree, draft.entry);
    const range = /^\s*ruby\s+["']([^"']+)["']/m.exec(text)?.[1];
    if (range !== undefined)
      draft.add("version", versionFor("ruby", range), { code: "stated", file, name: "ruby" });
    const own = (await tree.text(".ruby-version")).trim().replace(/^ruby-/, "");
    draft.add("version", versionFor("ruby", own), { code: "file", file: ".ruby-version" });
  },
};
