/**
 * The host's end of QEMU's guest agent, which runs programs in a virtual machine without a network: a line of JSON
 * per request and answer on a Unix socket (QEMU's "QEMU Guest Agent Protocol Reference").
 */

import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import type { Ran } from "../../release/support/debian-machine.ts";

const answerTimeoutMs = 60_000;
/** A machine that starts answers nothing; what was asked meanwhile is answered later, or never. */
const syncTimeoutMs = 5_000;
const pollMs = 200;

interface Answer {
  return?: unknown;
  error?: { class: string; desc: string };
}

export class GuestAgent implements Disposable {
  readonly #socket: Socket;
  /** Gets the next answer. */
  #onAnswer: (answer: Answer) => void = () => {};
  /** The machine answers one request after the other. */
  #last: Promise<unknown> = Promise.resolve();
  #syncId = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    createInterface({ input: socket }).on("line", (line) => {
      // A reset machine may leave half a line behind, which the next `guest-sync` finds the end of.
      try {
        this.#onAnswer(JSON.parse(line) as Answer);
      } catch {}
    });
  }

  /** Connects to the socket that QEMU listens on. */
  static async connect(path: string): Promise<GuestAgent> {
    const socket = connect(path);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.once("connect", resolve);
    socket.once("error", reject);
    await promise;
    socket.on("error", () => {}); // QEMU has ended: each request from now on has its deadline
    return new GuestAgent(socket);
  }

  /** Resolves with true once the agent in the machine answers, and with false where it does not in some seconds. */
  async isThere(): Promise<boolean> {
    const id = ++this.#syncId;
    return await this.#inTurn(async () => {
      const isOurs = (answer: Answer) => answer.return === id;
      return await this.#ask("guest-sync", { id }, { timeoutMs: syncTimeoutMs, isOurs }).then(
        () => true,
        () => false,
      );
    });
  }

  /** Runs a program to its end. Throws when the machine does not answer, or at the deadline. */
  async run(argv: readonly string[], input: string, timeoutMs: number): Promise<Ran> {
    const [path, ...arg] = argv;
    const { pid } = (await this.#execute("guest-exec", {
      path,
      arg,
      "input-data": Buffer.from(input).toString("base64"),
      "capture-output": true,
    })) as { pid: number };
    const deadlineMs = performance.now() + timeoutMs;
    for (;;) {
      const status = (await this.#execute("guest-exec-status", { pid })) as ExecStatus;
      if (status.exited) {
        const textOf = (data = "") => Buffer.from(data, "base64").toString();
        return {
          code: status.exitcode ?? -1,
          stdout: textOf(status["out-data"]),
          stderr: textOf(status["err-data"]),
        };
      }
      if (performance.now() > deadlineMs) throw new Error(`${argv.join(" ")} did not end in ${timeoutMs} ms`);
      await delay(pollMs);
    }
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  #execute(command: string, values: object): Promise<unknown> {
    return this.#inTurn(() => this.#ask(command, values, { timeoutMs: answerTimeoutMs, isOurs: () => true }));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #ask(
    command: string,
    values: object,
    { timeoutMs, isOurs }: { timeoutMs: number; isOurs: (answer: Answer) => boolean },
  ): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => reject(new Error(`${command}: the machine does not answer`)), timeoutMs);
    this.#onAnswer = (answer) => {
      if (answer.error !== undefined) reject(new Error(`${command}: ${answer.error.desc}`));
      else if (isOurs(answer)) resolve(answer.return);
    };
    this.#socket.write(`${JSON.stringify({ execute: command, arguments: values })}\n`);
    return await promise.finally(() => {
      clearTimeout(timer);
      this.#onAnswer = () => {};
    });
  }
}

interface ExecStatus {
  exited: boolean;
  exitcode?: number;
  "out-data"?: string;
  "err-data"?: string;
}
