/**
 * Proposes an svc.json for a project that has none, from the files that are there: each field with the reason
 * for it, so that a person can judge it.
 */

import type { Language } from "../nouns/language.ts";
import type { ProjectConfig } from "../project/project-config.ts";
import { runsByItself } from "../project/start-command.ts";
import { proposeImage, proposeStart } from "./dockerfile.ts";
import { Draft, type ProposedField } from "./draft.ts";
import { dotnet, elixir, go, java } from "./languages/compiled.ts";
import type { LanguageProposal } from "./languages/language-proposal.ts";
import { node } from "./languages/node.ts";
import { php } from "./languages/php.ts";
import { python } from "./languages/python.ts";
import { ruby } from "./languages/ruby.ts";
import { staticPages } from "./languages/static.ts";
import { proposeFromOtherHost } from "./other-hosts.ts";
import { TreeReader, type ProjectTree } from "./project-tree.ts";

export interface Proposal {
  /** Contents of the proposed svc.json. */
  config: ProjectConfig;
  /** The same fields, each with its reason, in the order in which they are shown. */
  fields: ProposedField[];
}

const languages: Readonly<Record<Language, LanguageProposal>> = {
  node,
  python,
  java,
  go,
  php,
  ruby,
  dotnet,
  elixir,
  static: staticPages,
};

/**
 * Languages in the order in which a project is looked at. Those whose projects often have a package.json for
 * their pages stand before Node.
 */
const order: readonly Language[] = [
  "go",
  "elixir",
  "dotnet",
  "php",
  "ruby",
  "node",
  "python",
  "java",
  "static",
];

/** Returns the proposal; null when the files do not show how the project is started. */
export async function proposeConfig(projectTree: ProjectTree): Promise<Proposal | null> {
  const tree = new TreeReader(projectTree);
  for (const sign of await findSigns(tree)) {
    const draft = await draftFor(sign, tree);
    if (isComplete(draft)) return { config: draft.config, fields: draft.fields };
  }
  return null;
}

/** A language that a project may be of, and the file that shows it. */
interface Sign {
  language: Language;
  file: string;
}

/**
 * Returns the languages that files show, the likeliest first; null last, for projects whose language only
 * other files say.
 */
async function findSigns(tree: TreeReader): Promise<(Sign | null)[]> {
  // Only programs of Django have it; their package.json is for their pages.
  const signs: Sign[] = tree.has("manage.py") ? [{ language: "python", file: "manage.py" }] : [];
  for (const language of order) {
    const file = await languages[language].sign(tree);
    if (file !== null) signs.push({ language, file });
  }
  return [...signs, null];
}

async function draftFor(sign: Sign | null, tree: TreeReader): Promise<Draft> {
  const draft = new Draft();
  await proposeFromOtherHost(draft, tree);
  const dockerfile = await tree.text("Dockerfile");
  proposeLanguage(draft, sign);
  proposeImage(draft, dockerfile);
  if (draft.language === null) return draft;
  await languages[draft.language].propose(draft, tree);
  proposeStart(draft, dockerfile);
  if (draft.language !== "static") draft.add("type", "bot", { code: "unseen", file: "" });
  return draft;
}

/** Adds the language of a command that begins with that language's name, else the one that a file shows. */
function proposeLanguage(draft: Draft, sign: Sign | null): void {
  const command = draft.fields.find(({ name }) => name === "command");
  const [, word] = /^(python|node|ruby|php|java|dotnet)3?\s/.exec(String(command?.value ?? "")) ?? [];
  if (word !== undefined && command !== undefined) draft.add("language", word, command.reason);
  if (sign !== null) draft.add("language", sign.language, { code: "file", file: sign.file });
}

/** True when the proposal is enough to start a project. */
function isComplete({ config, language, hasStart }: Draft): boolean {
  if (language === null || (language === "static" && config.type === "bot")) return false;
  return hasStart || language === "static" || runsByItself(config);
}
