/** The environment that a project's process finds. */

import type { Assignment } from "@tijolo/protocol";

/** Share of the memory limit that a runtime's heap may take; the rest is for everything beside the heap. */
const heapShare = 0.75;

/** Of both steps; `trust` are the defaults that make the host's certificate authorities known. */
function common(assignment: Assignment, trust: Record<string, string>): Record<string, string> {
  const { projectId, versionNumber, settings } = assignment;
  return {
    ...trust,
    PATH: `${settings.language === "python" ? "/app/.venv/bin:" : ""}/app/node_modules/.bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    HOME: "/home/project",
    LANG: "C.UTF-8",
    TZ: "UTC",
    SVC_PROJECT_ID: projectId,
    SVC_VERSION: String(versionNumber),
  };
}

export function installEnvironment(assignment: Assignment, trust: Record<string, string>): Record<string, string> {
  return { ...common(assignment, trust), CI: "true", npm_config_update_notifier: "false", PYTHONUNBUFFERED: "1" };
}

export function runEnvironment(assignment: Assignment, trust: Record<string, string>): Record<string, string> {
  const { settings } = assignment;
  const heapMb = Math.floor(settings.memoryMb * heapShare);
  return {
    ...common(assignment, trust),
    ...languageDefaults(settings.language, heapMb),
    ...(settings.port === null ? {} : { PORT: String(settings.port), HOST: "0.0.0.0" }),
  };
}

/** Runtimes do not see the container's memory limit by themselves everywhere, so they are told. */
function languageDefaults(language: Assignment["settings"]["language"], heapMb: number): Record<string, string> {
  switch (language) {
    case "node":
      return { NODE_ENV: "production", NODE_OPTIONS: `--max-old-space-size=${heapMb}` };
    case "python":
      return { PYTHONUNBUFFERED: "1" };
    case "java":
      return { JAVA_TOOL_OPTIONS: `-Xmx${heapMb}m` };
    case "go":
      return { GOMEMLIMIT: `${heapMb}MiB` };
    case "dotnet":
      return { DOTNET_GCHeapHardLimit: `0x${(heapMb * 1024 * 1024).toString(16)}` };
    case "elixir":
      return { MIX_ENV: "prod" };
    case "php":
    case "ruby":
    case "static":
      return {};
  }
}
