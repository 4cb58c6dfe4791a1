/** Runs Debian's PostgreSQL for a test: on a Unix socket in a directory of its own, and under its own user. */

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../../../../agent/src/host/exec.ts";
import { fastDirectory } from "../../../support/machine/fast-directory.ts";
import { until } from "../../../support/until.ts";

/** Where Debian keeps the programs of each version of PostgreSQL. */
const versionsDirectory = "/usr/lib/postgresql";
/** PostgreSQL refuses to run as root. Debian's package makes this user. */
const user = "postgres";
const asUser = ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups"];

export class PostgresServer implements AsyncDisposable {
  /** The directory of the socket. */
  readonly directory: string;
  readonly user = user;
  readonly #child: ChildProcess;

  private constructor(directory: string, child: ChildProcess) {
    this.directory = directory;
    this.#child = child;
  }

  static async start(): Promise<PostgresServer> {
    const programs = await findPrograms();
    const directory = await mkdtemp(join(fastDirectory(), "tijolo-postgres-"));
    await using cleanUp = new AsyncDisposableStack();
    cleanUp.defer(() => rm(directory, { recursive: true, force: true }));
    const id = async (option: string) => Number((await exec(["id", option, user])).stdout);
    await chown(directory, await id("-u"), await id("-g"));
    const data = join(directory, "data");
    const initialize = ["--no-locale", "--encoding=UTF8", "--auth=trust", "--no-sync", `--pgdata=${data}`];
    await exec([...asUser, join(programs, "initdb"), ...initialize], { cwd: directory });
    const settings = ["listen_addresses=", `unix_socket_directories=${directory}`, "fsync=off"];
    const server = [join(programs, "postgres"), "-D", data, ...settings.flatMap((each) => ["-c", each])];
    // It ends with this process, however that ends.
    const child = spawn("setpriv", [...asUser.slice(1), "--pdeathsig=QUIT", ...server], {
      cwd: directory,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const started = cleanUp.use(new PostgresServer(directory, child));
    let said = "";
    child.stderr.on("data", (text: Buffer) => void (said += text.toString()));
    await until(
      () => {
        if (child.exitCode !== null) throw new Error(`PostgreSQL ended: ${said}`);
        return said.includes("ready to accept connections");
      },
      { isFinal: () => child.exitCode !== null },
    );
    cleanUp.move();
    return started;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill("SIGQUIT");
      await once(this.#child, "exit");
    }
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** Returns the folder of the newest version that is installed. */
async function findPrograms(): Promise<string> {
  const versions = (await readdir(versionsDirectory)).map(Number).sort((one, other) => one - other);
  return join(versionsDirectory, String(versions.at(-1)), "bin");
}
