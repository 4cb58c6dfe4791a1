/** Proposes settings for pages that are ready: the folder of index.html. */

import type { LanguageProposal } from "./language-proposal.ts";

const pages = [
  "index.html",
  "public/index.html",
  "dist/index.html",
  "build/index.html",
  "www/index.html",
  "site/index.html",
  "docs/index.html",
];

export const staticPages: LanguageProposal = {
  sign: (tree) => tree.first(pages),
  async propose(draft, tree) {
    const page = tree.first(pages);
    if (page === null) return;
    draft.add("type", "site", { code: "file", file: page });
    draft.add("root", page.replace(/\/?index\.html$/, ""), { code: "file", file: page });
  },
};
