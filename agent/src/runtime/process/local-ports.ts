/**
 * Assigns a port of this machine to each site, because all projects share the machine's own network: the one
 * it names, if that is free.
 */

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { KeyedQueue } from "@tijolo/protocol/kit";
import { writeDurably } from "../../host/files/durable-file.ts";

const portFile = z.record(z.string(), z.int());
/** Number of tries for a free port that the system chooses; `pauseMs` lies between two of them. */
const attempts = 10;
const pauseMs = 100;

export class LocalPorts {
  readonly #file: string;
  readonly #ports: Map<string, number>;
  /** Queue of one claim at a time: two must neither find the same port free nor write the file at once. */
  readonly #turns = new KeyedQueue();

  private constructor(file: string, ports: Map<string, number>) {
    this.#file = file;
    this.#ports = ports;
  }

  /**
   * Takes over the ports that an earlier agent assigned: its sites may still listen there. A file that cannot
   * be read assigned none.
   */
  static async open(file: string): Promise<LocalPorts> {
    const text = await readFile(file, "utf8").catch(() => "");
    return new LocalPorts(file, new Map(Object.entries(parse(text))));
  }

  find(projectId: string): number | undefined {
    return this.#ports.get(projectId);
  }

  /**
   * Claims `wanted` where nobody has it, otherwise the last one, otherwise any free port; throws without one.
   * Must be called only while the project does not run.
   */
  claim(projectId: string, wanted: number): Promise<number> {
    return this.#turns.run("file", () => this.#claim(projectId, wanted));
  }

  release(projectId: string): Promise<void> {
    return this.#turns.run("file", async () => {
      if (this.#ports.delete(projectId)) await this.#save();
    });
  }

  async #claim(projectId: string, wanted: number): Promise<number> {
    const others = new Set([...this.#ports].filter(([id]) => id !== projectId).map(([, port]) => port));
    const last = this.#ports.get(projectId);
    for (const candidate of [wanted, ...(last === undefined ? [] : [last])]) {
      if (!others.has(candidate) && (await findFree(candidate).catch(() => undefined)) === candidate)
        return this.#keep(projectId, candidate);
    }
    let cause: unknown;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const free = await findFree(0).catch((error: unknown) => void (cause = error));
      if (free !== undefined && !others.has(free)) return this.#keep(projectId, free);
      await setTimeout(pauseMs);
    }
    throw new Error("there is no free port", { cause });
  }

  async #keep(projectId: string, port: number): Promise<number> {
    this.#ports.set(projectId, port);
    await this.#save();
    return port;
  }

  async #save(): Promise<void> {
    await writeDurably(this.#file, JSON.stringify(Object.fromEntries(this.#ports)));
  }
}

function parse(text: string): Record<string, number> {
  try {
    return portFile.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

/**
 * Returns the port, or for 0 one of the system's choice; throws when it cannot be listened on, on loopback or
 * on all addresses.
 */
async function findFree(port: number): Promise<number> {
  return listenOnce(await listenOnce(port, "127.0.0.1"), "0.0.0.0");
}

async function listenOnce(port: number, host: string): Promise<number> {
  const server = createServer();
  try {
    server.listen({ port, host, exclusive: true });
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  } finally {
    const closed = Promise.withResolvers<void>();
    server.close(() => closed.resolve());
    await closed.promise;
  }
}
