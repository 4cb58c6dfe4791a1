/**
 * A network namespace for the browser alone, in which this process's servers answer on `localhost`. Chromium
 * drops every connection (`net::ERR_NETWORK_CHANGED`) when a link of its network comes or goes, and the tests
 * with containers, which run beside, make and remove links all the time.
 */

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { joinSockets } from "./join-sockets.ts";

/** What is sent to the program inside: listen on this port of `localhost`, and carry each connection to the path. */
export interface CarriedPort {
  port: number;
  path: string;
}

export class BrowserNetwork implements AsyncDisposable {
  readonly #inside: ChildProcess;
  readonly #directory: string;
  readonly #ports = new Map<number, Promise<Server>>();

  private constructor(inside: ChildProcess, directory: string) {
    this.#inside = inside;
    this.#directory = directory;
  }

  /** Needs root. The network has one link that stays, so that the browser takes itself to be online. */
  static async create(): Promise<BrowserNetwork> {
    const program = join(import.meta.dirname, "inside-browser-network.ts");
    const inside = spawn("unshare", ["--net", process.execPath, program], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    await readyAfter(inside);
    // The browser is ended before the network; what is left of both must not keep a test process alive.
    inside.unref();
    inside.channel?.unref();
    return new BrowserNetwork(inside, await mkdtemp(join(tmpdir(), "browser-network-")));
  }

  /** Path of the namespace, for `nsenter`. */
  get path(): string {
    return `/proc/${this.#inside.pid}/ns/net`;
  }

  /** From now on `localhost:<port>` in there is that port of this machine's loopback. */
  async carry(port: number): Promise<void> {
    let server = this.#ports.get(port);
    if (server === undefined) this.#ports.set(port, (server = this.#carry(port)));
    await server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#inside.kill();
    for (const server of await Promise.all(this.#ports.values())) server.close();
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #carry(port: number): Promise<Server> {
    const path = join(this.#directory, `${port}.sock`);
    const server = createServer({ allowHalfOpen: true }, (socket) =>
      joinSockets(socket, { port, host: "127.0.0.1" }),
    );
    server.listen(path).unref();
    await once(server, "listening");
    const carried: CarriedPort = { port, path };
    this.#inside.send(carried);
    await readyAfter(this.#inside);
    return server;
  }
}

/** Resolves with the next message; rejects when the program ends before. */
async function readyAfter(inside: ChildProcess): Promise<void> {
  const ended = new AbortController();
  const exit = once(inside, "exit", { signal: ended.signal }).then(() => {
    throw new Error("the browser's network ended");
  });
  try {
    await Promise.race([once(inside, "message", { signal: ended.signal }), exit]);
  } finally {
    ended.abort();
    exit.catch(() => {});
  }
}
