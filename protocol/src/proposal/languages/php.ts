/** Proposes settings for PHP: a site is served by the service's own server, a bot is a file. */

import { versionFor } from "../../project/wanted-version.ts";
import {
  packagesNamedIn,
  proposeEntry,
  proposeTypeByPackages,
  type KnownPackages,
  type LanguageProposal,
} from "./language-proposal.ts";

const file = "composer.json";
const pages = ["public/index.php", "index.php", "web/index.php"];
const programs = ["bot.php", "main.php", "run.php", "src/bot.php"];

const packages: KnownPackages = {
  bots: ["team-reflex/discord-php", "nutgram/nutgram", "longman/telegram-bot", "irazasyed/telegram-bot-sdk"],
  sites: ["laravel/framework", "symfony/framework-bundle", "slim/slim", "cakephp/cakephp", "yiisoft/yii2"],
};

export const php: LanguageProposal = {
  sign: (tree) => tree.first([file, ...pages, ...programs]),
  async propose(draft, tree) {
    const text = await tree.text(file);
    proposeTypeByPackages(draft, { names: packagesNamedIn(text, /"([\w./-]+)"\s*:/g), file }, packages);
    const page = tree.first(pages);
    if (page !== null) draft.add("type", "site", { code: "file", file: page });
    // The service's server finds index.php in the project's folder and in public by itself.
    if (draft.type === "site" && page?.startsWith("web/") === true)
      draft.add("entry", page, { code: "file", file: page });
    if (draft.type !== "site") proposeEntry(draft, tree, programs);
    const range = /"php"\s*:\s*"([^"]+)"/.exec(text)?.[1];
    if (range !== undefined)
      draft.add("version", versionFor("php", range), { code: "stated", file, name: "require.php" });
  },
};
