/** Reads from a Dockerfile how a project is started, when no file of the project itself says so. */

import { shellWord } from "../values/shell-word.ts";
import type { Language } from "../nouns/language.ts";
import type { Draft } from "./draft.ts";
import { versionFor } from "../project/wanted-version.ts";

const file = "Dockerfile";

/** Base images by the word in their name. */
const images: readonly [RegExp, Language][] = [
  [/^(?:node|oven\/bun)\b/, "node"],
  [/^(?:python|tiangolo)\b/, "python"],
  [/^golang\b/, "go"],
  [/^(?:php|composer)\b/, "php"],
  [/^ruby\b/, "ruby"],
  [/^(?:openjdk|eclipse-temurin|amazoncorretto)\b/, "java"],
  [/^mcr\.microsoft\.com\/dotnet\b/, "dotnet"],
  [/^elixir\b/, "elixir"],
  [/^(?:nginx|httpd|caddy)\b/, "static"],
];

/** Proposes the language of the first stage's image, where no file of the project shows one. */
export function proposeImage(draft: Draft, text: string): void {
  const image = /^\s*FROM\s+(?:--\S+\s+)*(\S+)/im.exec(text)?.[1];
  if (image === undefined) return;
  const name = image.replace(/^(?:docker\.io\/)?(?:library\/)?/, "");
  const language = images.find(([pattern]) => pattern.test(name))?.[1];
  const reason = { code: "stated", file, name: "FROM" } as const;
  draft.add("language", language, reason);
  const tag = name.split(":")[1];
  if (language !== undefined && draft.language === language && tag !== undefined && /^\d/.test(tag))
    draft.add("version", versionFor(language, tag), reason);
}

/** Proposes command, type and port, where they are not known. */
export function proposeStart(draft: Draft, text: string): void {
  const port = Number(/^\s*EXPOSE\s+(\d+)/im.exec(text)?.[1] ?? 0);
  if (port > 0 && draft.language !== "static") {
    const reason = { code: "stated", file, name: "EXPOSE" } as const;
    draft.add("type", "site", reason);
    if (draft.type === "site") draft.add("port", port, reason);
  }
  const command = commandOf(text);
  if (!draft.hasStart && draft.language !== "static" && draft.language !== "go")
    draft.add("command", command, { code: "stated", file, name: "CMD" });
}

/** Returns the last CMD, or ENTRYPOINT with it, as a command line. */
function commandOf(text: string): string | null {
  const lines = text.replaceAll(/\\\r?\n/g, " ");
  const last = (name: string) => [...lines.matchAll(new RegExp(`^\\s*${name}\\s+(.+)$`, "gim"))].at(-1)?.[1];
  const parts = [last("ENTRYPOINT"), last("CMD")].flatMap((given) =>
    given === undefined ? [] : [plain(given)],
  );
  return parts.length === 0 ? null : parts.join(" ");
}

function plain(given: string): string {
  try {
    const words: unknown = JSON.parse(given.trim());
    if (Array.isArray(words)) return shellOf(words.map(String));
  } catch {
    // CMD in the form of a shell's line.
  }
  return given.trim();
}

/** Returns the words as a command line; for `sh -c <line>`, that line. */
function shellOf(words: readonly string[]): string {
  const [shell = "", option = "", line] = words;
  if (/(?:^|\/)(?:ba)?sh$/.test(shell) && /^-l?c$/.test(option) && line !== undefined) return line;
  return words.map(shellWord).join(" ");
}
