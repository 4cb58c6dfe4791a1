/** Stores what `login` was given: addresses and secrets, in a file that only its owner can read. */

import { mkdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { writePrivateFile } from "./private-file.ts";

/** A login; its secret belongs to the address it was given for and is sent to no other. */
const login = z.object({ url: z.string(), secret: z.string() });

const configurationFile = z.object({ account: login.optional(), operator: login.optional() });

export type Login = z.infer<typeof login>;

export type LoginKind = keyof z.infer<typeof configurationFile>;

/** Thrown when the file exists and is malformed. */
export class ConfigurationError extends Error {
  override name = "ConfigurationError";
}

export class Configuration {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  async find(kind: LoginKind): Promise<Login | undefined> {
    return (await this.#read())[kind];
  }

  async keep(kind: LoginKind, login: Login): Promise<void> {
    const text = JSON.stringify({ ...(await this.#read()), [kind]: login }, null, 2);
    await mkdir(dirname(this.file), { recursive: true, mode: 0o700 });
    await writePrivateFile(this.file, `${text}\n`, { mayReplace: true });
  }

  async #read(): Promise<z.infer<typeof configurationFile>> {
    try {
      return configurationFile.parse(JSON.parse(await readFile(this.file, "utf8")));
    } catch (cause) {
      if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return {};
      throw new ConfigurationError(this.file, { cause });
    }
  }
}

/** Returns `$XDG_CONFIG_HOME/tijolo/config.json`, or the same below `~/.config`. */
export function configurationPath(environment: Readonly<Record<string, string | undefined>>): string {
  const { XDG_CONFIG_HOME } = environment;
  const base = XDG_CONFIG_HOME?.startsWith("/") === true ? XDG_CONFIG_HOME : join(homedir(), ".config");
  return join(base, "tijolo", "config.json");
}
