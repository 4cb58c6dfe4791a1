/**
 * Runs the process that forks the supervisors of containers (see supervise.pl). It ends with the agent, the
 * supervisors do not.
 */

import { join } from "node:path";
import { execFed, type FedProcess } from "../../host/exec.ts";
import { logWriterScript } from "../../logs/writer/log-files.ts";
import { nspawnEnvironment } from "./nspawn-argv.ts";

export class Supervisors {
  #process: Promise<FedProcess | null> = Promise.resolve(null);

  /**
   * Loads the scripts as they are now: an upgrade of the files beside a running agent must not mix two
   * versions in one container.
   */
  static async create(): Promise<Supervisors> {
    const supervisors = new Supervisors();
    await supervisors.#running();
    return supervisors;
  }

  async start(runDirectory: string): Promise<void> {
    const running = await this.#running();
    running.feed(`${runDirectory}\n`);
  }

  async close(): Promise<void> {
    const running = await this.#process.catch(() => null);
    running?.end();
  }

  /** Returns the running process; of several calls that find it ended, one starts the next. */
  async #running(): Promise<FedProcess> {
    const running = this.#process
      .catch(() => null)
      .then((last) =>
        last?.isRunning() === true ? last : execFed(supervisorArgv(), { env: nspawnEnvironment }),
      );
    this.#process = running;
    return running;
  }
}

function supervisorArgv(): string[] {
  const [logWriter = ""] = logWriterScript([]);
  return ["perl", join(import.meta.dirname, "supervise.pl"), logWriter];
}
