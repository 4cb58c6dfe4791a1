/** The install step of a project: its own command, or the automatic one of its language (spec: `installCommand`). */

import type { ProjectSettings } from "@tijolo/protocol";

/** Null: there is nothing to install. `hasFile` answers for a path relative to the project's root. */
export function installCommandOf(settings: ProjectSettings, hasFile: (path: string) => boolean): string | null {
  const { language, installCommand } = settings;
  if (language === "static") return null;
  if (installCommand !== null) return installCommand.trim() === "" ? null : installCommand;
  switch (language) {
    case "node":
      return nodeInstall(hasFile);
    case "python":
      return hasFile("requirements.txt")
        ? "python -m venv .venv && .venv/bin/pip install --no-cache-dir --disable-pip-version-check -r requirements.txt"
        : null;
    case "java":
    case "go":
    case "php":
    case "ruby":
    case "dotnet":
    case "elixir":
      return null;
  }
}

function nodeInstall(hasFile: (path: string) => boolean): string | null {
  if (!hasFile("package.json")) return null;
  const hasLock = hasFile("package-lock.json") || hasFile("npm-shrinkwrap.json");
  return `${hasLock ? "npm ci" : "npm install"} --no-audit --no-fund && npm run build --if-present`;
}
