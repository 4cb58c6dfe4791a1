/**
 * Runs an `nft` that stays and takes changes by its input. Starting one takes milliseconds, and ending one
 * that has deleted something waits for the kernel to finish; the change itself takes less than one.
 */

import { execFed, hostEnvironment, type FedProcess } from "../host/exec.ts";

/** Environment of nft; at its end an interactive nft writes its history below HOME. */
const env = { ...hostEnvironment, HOME: "/dev/null" };
/** Changes after which the process is replaced, because nft remembers them all until its end. */
const changesPerProcess = 1_000;
const deadlineMs = 5_000;
/**
 * Most failures in a row: an nft that is built without interactive input, or with another form of it, fails
 * each time.
 */
const mostFailures = 3;

export class NftShell {
  #process: FedProcess | null = null;
  #changes = 0;
  #failures = 0;
  /** Output since the current change was given to it. */
  #heard = "";
  #onNews: () => void = () => {};

  /** False when it has failed again and again: then nft must be started for each change. */
  get isUsable(): boolean {
    return this.#failures < mostFailures;
  }

  /**
   * Runs the commands in one transaction, one line each. Rejects when nft refuses them, and when it does not
   * answer: then they may be done or not. One call at a time.
   */
  async run(commands: string): Promise<void> {
    if (this.#changes >= changesPerProcess) this.close();
    const shell = this.#process?.isRunning() === true ? this.#process : await this.#start();
    // It says nothing of what it has done. What is no command it repeats, after everything that it had to say
    // before.
    const end = `end_${++this.#changes}`;
    this.#heard = "";
    shell.feed(`${commands.trim().replaceAll("\n", "; ")}\n${end}\n`);
    const answer = await this.#answer(`\n${end}\n`);
    if (answer.split("Error:").length > 2) throw new Error(`nft refused a change: ${answer.slice(0, 2_000)}`);
  }

  /** Ends the process; the next change starts another. */
  close(): void {
    this.#process?.end();
    this.#process = null;
    this.#changes = 0;
  }

  async #start(): Promise<FedProcess> {
    this.close();
    const started = await execFed(["nft", "--interactive"], {
      env,
      onStderr: (text) => {
        if (this.#process !== started) return;
        this.#heard += text;
        this.#onNews();
      },
      onEnd: () => this.#onNews(),
    });
    this.#process = started;
    return started;
  }

  /** Returns the output before `end`. */
  async #answer(end: string): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const fail = (reason: string) => {
      this.#failures++;
      this.#process?.kill();
      this.#process = null;
      reject(new Error(`nft ${reason}: ${this.#heard.slice(0, 2_000)}`));
    };
    this.#onNews = () => {
      const at = this.#heard.indexOf(end);
      if (at !== -1) resolve(this.#heard.slice(0, at));
      else if (this.#process?.isRunning() !== true) fail("ended in the middle of a change");
    };
    const timer = setTimeout(() => fail(`did not answer within ${deadlineMs} ms`), deadlineMs);
    try {
      this.#onNews();
      const answer = await promise;
      this.#failures = 0;
      return answer;
    } finally {
      clearTimeout(timer);
      this.#onNews = () => {};
    }
  }
}
