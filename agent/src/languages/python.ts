/** Defines the rules of Python projects: an environment of their own, filled by their own tool. */

import { gateway } from "../network/gateway-address.ts";
import type { InstallStep, SourceTree, LanguageRules } from "./language-rules.ts";

export const python: LanguageRules = {
  plan,
  notes: (tree) => (plan(tree).length === 0 && tree.has("Pipfile") ? [{ code: "pipfile_ignored" }] : []),
  files: [],
  path: ["/app/.venv/bin"],
  environment: {
    PYTHONUNBUFFERED: "1",
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
    PIP_NO_CACHE_DIR: "1",
    VIRTUAL_ENV: "/app/.venv",
  },
  installEnvironment: () => ({}),
  // Of whom gunicorn and uvicorn believe X-Forwarded-For and -Proto: the agent, and what they believe by
  // themselves.
  runEnvironment: () => ({ FORWARDED_ALLOW_IPS: `${gateway},127.0.0.1,::1` }),
};

const environment = "python -m venv .venv";

function plan(tree: SourceTree): InstallStep[] {
  const pyproject = tree.read("pyproject.toml");
  if (pyproject !== undefined && tree.has("uv.lock"))
    return [withTool("uv", "uv sync --frozen --no-dev --no-install-project", "uv.lock", tree)];
  if (pyproject !== undefined && (tree.has("poetry.lock") || /^\[tool\.poetry\]/m.test(pyproject))) {
    return [withTool("poetry", "poetry install --only main --no-root --no-interaction", "poetry.lock", tree)];
  }
  const requirements = tree.read("requirements.txt");
  if (requirements !== undefined)
    return [withPip("-r requirements.txt", isSelfContained(requirements) ? ["requirements.txt"] : null)];
  // Its build backend may read any file of the project.
  if (pyproject !== undefined && /^\[(project|build-system)\]/m.test(pyproject)) return [withPip(".", null)];
  return [];
}

function withPip(what: string, inputs: readonly string[] | null): InstallStep {
  return { name: "dependencies", command: `${environment} && .venv/bin/pip install ${what}`, inputs };
}

/**
 * Returns a step that runs `command` with the tool, which it first installs from the package index into a
 * place that stays, unless the image has it.
 */
function withTool(tool: "uv" | "poetry", command: string, lock: string, tree: SourceTree): InstallStep {
  const place = `"$HOME/.local/share/${tool}"`;
  const fetch = `{ command -v ${tool} > /dev/null || { python -m venv ${place} && ${place}/bin/pip install ${tool}; }; }`;
  const settings =
    tool === "uv"
      ? 'UV_PROJECT_ENVIRONMENT=.venv UV_PYTHON="$(command -v python)"'
      : "POETRY_VIRTUALENVS_IN_PROJECT=true";
  const run = `PATH="$PATH:$HOME/.local/share/${tool}/bin" ${settings} ${command}`;
  const isWhole =
    tree.has(lock) &&
    !/\b(path|develop|editable)\s*=/.test(`${tree.read(lock)}${tree.read("pyproject.toml")}`);
  return {
    name: "dependencies",
    command: `${fetch} && ${environment} && ${run}`,
    inputs: isWhole ? ["pyproject.toml", lock] : null,
  };
}

/** True unless a line names another file or folder of the upload, which makes the result depend on it. */
function isSelfContained(requirements: string): boolean {
  return !requirements.split(/[\r\n]/).some((line) => /^(-|\.|\/|file:)|@\s*file:/.test(line.trim()));
}
