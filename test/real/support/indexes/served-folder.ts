/** Serves a folder of packages by HTTP on a machine beyond this one, as public indexes are served. */

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { until } from "../../../support/until.ts";
import { OutsideMachine } from "../network/outside-machine.ts";

const port = 8080;

export class ServedFolder implements AsyncDisposable {
  /** `http://address:port`. */
  readonly origin: string;
  /** Host name or address without the port. */
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

  /** Returns the requested paths, in order. */
  async asked(): Promise<string[]> {
    return (await (await fetch(`${this.origin}/-/asked`)).json()) as string[];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#machine[Symbol.asyncDispose]();
    await rm(this.#directory, { recursive: true, force: true });
  }
}
