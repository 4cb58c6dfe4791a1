/** Keeps connections to the programs of sites open between visits, each for the run that it was made to. */

import { Agent, type ClientRequestArgs } from "node:http";

/**
 * Milliseconds after which an unused connection to a project is closed, before most servers close it
 * themselves (5 s).
 */
const keptSocketMs = 4_000;

export interface RunRequestArgs extends ClientRequestArgs {
  /** The run that the connection leads to: the programs of two runs share address and port. */
  run?: string;
}

export class KeptConnections extends Agent {
  constructor() {
    super({
      keepAlive: true,
      maxSockets: 1_024,
      maxFreeSockets: 256,
      timeout: keptSocketMs,
      scheduling: "lifo",
    });
  }

  /**
   * Returns the key of the connections that a request may use: those to the same address and the same run.
   */
  override getName(options?: RunRequestArgs): string {
    return `${super.getName(options)}${nameOf(options?.run ?? "")}`;
  }

  /** Closes the run's unused connections, so that they do not keep its program from ending. */
  close(run: string): void {
    for (const [name, sockets] of Object.entries(this.freeSockets)) {
      if (!name.endsWith(nameOf(run))) continue;
      for (const socket of sockets ?? []) socket.destroy();
    }
  }
}

function nameOf(run: string): string {
  return ` run ${run}`;
}
