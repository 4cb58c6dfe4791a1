/** Lists the languages that are installed and run as programs; `static` is not one of them. */

import type { Language } from "@tijolo/protocol";
import { dotnet } from "./dotnet.ts";
import { elixir } from "./elixir.ts";
import { go } from "./go.ts";
import { java } from "./java.ts";
import type { LanguageRules } from "./language-rules.ts";
import { node } from "./node.ts";
import { php } from "./php.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";

export const languageRules: Record<Exclude<Language, "static">, LanguageRules> = {
  node,
  python,
  java,
  go,
  php,
  ruby,
  dotnet,
  elixir,
};
