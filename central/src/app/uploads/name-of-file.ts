/** Derives the name of a project that nobody has named. */

import { hiddenControls, isVisible } from "@tijolo/protocol";

/** Derives a project's name: `meu-bot.zip` → `meu-bot`; characters that a name may not hold are left out. */
export function nameOfFile(fileName: string): string {
  const base = fileName.split(/[\\/]/).at(-1) ?? "";
  const characters = Array.from(
    base
      .replace(/\.zip$/i, "")
      .replace(hiddenControls, "")
      .trim(),
  );
  const name = characters.slice(0, 40).join("").trim();
  return isVisible(name) ? name : "projeto";
}
