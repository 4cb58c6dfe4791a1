/** Speaks HAProxy's runtime API over its socket: one command per connection. */

import { connect } from "node:net";

const defaultTimeoutMs = 5_000;
/** Bytes that may follow a command: HAProxy takes no command that does not fit into one of its buffers. */
export const maxPayloadBytes = 30 * 1024;

export class RuntimeApi {
  readonly #socketPath: string;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  /** Returns the answer. Rejects when nobody listens, and when the answer is late. */
  ask(command: string, timeoutMs = defaultTimeoutMs): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#socketPath);
      let answer = "";
      socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`HAProxy did not answer: ${command}`)));
      socket.setEncoding("utf8").on("data", (text: string) => (answer += text));
      socket.once("error", reject);
      socket.once("close", () => resolve(answer));
      socket.end(`${command}\n`);
    });
  }

  /** Runs a command that answers nothing when it succeeds. Rejects with what it answers otherwise. */
  async run(command: string): Promise<void> {
    const answer = (await this.ask(command)).trim();
    if (answer !== "")
      throw new Error(`HAProxy refused ${command.split("\n", 1)[0]}: ${answer.slice(0, 200)}`);
  }

  /** Returns what identifies the process that answers; undefined when none does. */
  async info(): Promise<{ pid: number; description: string } | undefined> {
    const text = await this.ask("show info").catch(() => undefined);
    if (text === undefined) return undefined;
    const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, "m").exec(text)?.[1] ?? "";
    const pid = Number(field("Pid"));
    return Number.isInteger(pid) && pid > 0 ? { pid, description: field("description") } : undefined;
  }
}
