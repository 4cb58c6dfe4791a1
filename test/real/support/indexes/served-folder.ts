/** A folder of packages, served by HTTP on a machine beyond this one, as people serve theirs. */

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { until } from "../../../support/until.ts";
import { OutsideMachine } from "../outside-machine.ts";

const port = 8080;

export class ServedFolder implements AsyncDisposable {
  /** `http://address:port`. */
  readonly origin: string;
  /** Its address alone. */
  readonly host: string;
  readonly #machine: OutsideMachine;
  readonly #directory: string;

  private constructor(machine: OutsideMachine, directory: string) {
    this.#machine = machine;
    this.#directory = directory;
    this.host = machine.address;
    this.origin = `http://${machine.address}:${port}`;
  }

  static async create(): Promise<ServedFolder> {
    const machine = await OutsideMachine.create();
    const folder = new ServedFolder(machine, await mkdtemp(join(tmpdir(), "tijolo-index-")));
    machine.start([
      process.execPath,
      join(import.meta.dirname, "serve-folder.ts"),
      folder.#directory,
      machine.address,
      String(port),
    ]);
    await until(() => folder.asked());
    return folder;
  }

  async write(path: string, content: string | Uint8Array): Promise<void> {
    const file = join(this.#directory, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  /** Paths that it was asked for, in order. */
  async asked(): Promise<string[]> {
    return (await (await fetch(`${this.origin}/-/asked`)).json()) as string[];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#machine[Symbol.asyncDispose]();
    await rm(this.#directory, { recursive: true, force: true });
  }
}
