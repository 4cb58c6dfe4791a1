/** Replaces the container's paths on a machine without containers. */

import { constants } from "node:fs";
import { access, mkdir, rm, stat, symlink } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Language, OwnerMessage } from "@tijolo/protocol";

export interface OwnPlaces {
  app: string;
  home: string;
  /** PATH of the machine, where the languages are. */
  hostPath: string;
  /** Port where the site must listen; null for a program without a site. */
  port: number | null;
  /** Files that a container would see at other paths. */
  files: readonly { source: string; target: string }[];
}

/**
 * Returns the requested environment with this machine's places in it: /app, the home directory, PATH, and
 * where to listen.
 */
export function ownEnvironment(
  requested: Readonly<Record<string, string>>,
  places: OwnPlaces,
): Record<string, string> {
  const environment = Object.fromEntries(
    Object.entries(requested).map(([name, value]) => [name, translate(value, places)]),
  );
  const own = (environment["PATH"] ?? "").split(":").filter((directory) => directory.startsWith(places.app));
  const path = [...new Set([...own, ...places.hostPath.split(delimiter)])]
    .filter((directory) => directory !== "")
    .join(":");
  const listening = places.port === null ? {} : { PORT: String(places.port), HOST: "127.0.0.1" };
  return { ...environment, PATH: path, ...listening };
}

/** Translates a path, or a list of paths with colons. */
function translate(value: string, { app, home, files }: OwnPlaces): string {
  const file = files.find(({ target }) => target === value);
  if (file !== undefined) return file.source;
  return value
    .split(":")
    .map((part) => replaced(part, "/app", app) ?? replaced(part, "/home/project", home) ?? part)
    .join(":");
}

function replaced(path: string, from: string, to: string): string | undefined {
  if (path === from) return to;
  return path.startsWith(`${from}/`) ? to + path.slice(from.length) : undefined;
}

/** Commands of each language; any of them shows that the language is installed. */
const commands: Record<Exclude<Language, "static">, readonly string[]> = {
  node: ["node"],
  python: ["python3", "python"],
  java: ["java"],
  go: ["go"],
  php: ["php"],
  ruby: ["ruby"],
  dotnet: ["dotnet"],
  elixir: ["elixir"],
};

/** Returns what to install; undefined when the machine has the language. */
export async function findMissingLanguage(
  language: Language,
  path: string,
): Promise<OwnerMessage | undefined> {
  if (language === "static") return undefined;
  const names = commands[language];
  for (const directory of path.split(":")) {
    for (const name of names) if (await isProgram(join(directory, name))) return undefined;
  }
  return { code: "language_not_on_machine", language, programs: [...names] };
}

/**
 * Returns a PATH with a `python` in it, last, where the machine has only `python3`: images have that name,
 * and projects run it.
 */
export async function withPython(directory: string, path: string): Promise<string> {
  const find = async (name: string) => {
    for (const place of path.split(":")) if (await isProgram(join(place, name))) return join(place, name);
    return undefined;
  };
  const python3 = await find("python3");
  if (python3 === undefined || (await find("python")) !== undefined) return path;
  await mkdir(directory, { recursive: true });
  await rm(join(directory, "python"), { force: true });
  await symlink(python3, join(directory, "python"));
  return `${path}:${directory}`;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
