/**
 * Builds the panel of these sources when it is not built: in a process of its own, while the rest starts.
 * Central finds the build when it is there.
 */

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { diesTogether } from "./service.ts";

const directoryVariable = "TIJOLO_PANEL_DIRECTORY";
const keptLines = 12;

/** Thrown when the build failed; `lines` holds the last ones that it wrote. */
export class PanelBuildError extends Error {
  override name = "PanelBuildError";
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super("the panel was not built");
    this.lines = lines;
  }
}

export class PanelPreparation implements AsyncDisposable {
  readonly #program: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #build: { directory: string; isBuilt(): boolean } | null;
  #child: ChildProcess | null = null;
  #isClosed = false;

  private constructor(parts: {
    program: string;
    environment: Readonly<Record<string, string>>;
    build: { directory: string; isBuilt(): boolean } | null;
  }) {
    this.#program = parts.program;
    this.#environment = parts.environment;
    this.#build = parts.build;
  }

  /**
   * Finds out what there is to build: nothing where the operator names a build, and nothing without the
   * panel's sources and packages, as a release carries the panel built.
   */
  static async find(root: string, environment: Readonly<Record<string, string>>): Promise<PanelPreparation> {
    const program = join(root, "central/panel/build.ts");
    const isNeeded = environment[directoryVariable] === undefined && existsSync(program);
    const build = isNeeded ? await findBuild(root) : null;
    return new PanelPreparation({ program, environment, build });
  }

  /** Settings of central that say where the build is, or will be. */
  get settings(): Record<string, string> {
    return this.#build === null ? {} : { [directoryVariable]: this.#build.directory };
  }

  /**
   * Resolves once the panel is built: at once where it was, and where there is nothing to build. Throws
   * PanelBuildError, unless it was ended by {@link [Symbol.asyncDispose]}.
   */
  async run(): Promise<void> {
    if (this.#build === null || this.#build.isBuilt() || this.#isClosed) return;
    const [file, ...args] = [...diesTogether(), process.execPath, this.#program];
    const child = spawn(file, args, {
      env: this.#environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    this.#child = child;
    const lines: string[] = [];
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on("line", (line) => lines.push(line));
    const ended = await once(child, "close").then(
      ([code]) => code === 0,
      (error: Error) => void lines.push(error.message),
    );
    this.#child = null;
    if (ended !== true && !this.#isClosed) throw new PanelBuildError(lines.slice(-keptLines));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const child = this.#child;
    if (child === null || child.pid === undefined) return;
    const closed = once(child, "close");
    child.kill("SIGKILL");
    await closed;
  }
}

async function findBuild(root: string): Promise<{ directory: string; isBuilt(): boolean } | null> {
  const { panelBuild } = await import("../../../central/panel/build.ts");
  return panelBuild(root);
}
