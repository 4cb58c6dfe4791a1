/** Runs a real log writer for tests, which reads a fifo in a directory that is removed after the test. */

import { constants, mkdtempSync, rmSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { exec, execDetached } from "../../host/exec.ts";
import { logWriterArgv, type LogLimits } from "./log-files.ts";

/** Finds the tools on the machine that runs the tests. */
export const hostTools = { argv: (name: string) => [name] };

export class TestDirectory {
  readonly path = mkdtempSync(join(tmpdir(), "tijolo-logs-"));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export class TestLogWriter {
  readonly pid: number;
  #fifo: FileHandle;

  private constructor(pid: number, fifo: FileHandle) {
    this.pid = pid;
    this.#fifo = fifo;
  }

  static async start(directory: string, limits?: LogLimits): Promise<TestLogWriter> {
    const fifoPath = `${directory}.${process.hrtime.bigint()}.fifo`;
    await exec(["mkdir", "-p", directory]);
    await exec(["mkfifo", fifoPath]);
    const pid = await execDetached([
      "sh",
      "-c",
      'exec "$@" <"$0"',
      fifoPath,
      ...logWriterArgv(hostTools, directory, limits),
    ]);
    const fifo = await open(fifoPath, constants.O_WRONLY);
    return new TestLogWriter(pid, fifo);
  }

  async write(text: string | Uint8Array): Promise<void> {
    const bytes = typeof text === "string" ? Buffer.from(text) : text;
    for (let offset = 0; offset < bytes.length;) {
      offset += (await this.#fifo.write(bytes, offset)).bytesWritten;
    }
  }

  /** Ends its input, as the end of a project does, and waits for the writer to finish. */
  async end(): Promise<void> {
    await this.#fifo.close();
    await until(() => !isRunning(this.pid));
  }

  async kill(): Promise<void> {
    process.kill(this.pid, "SIGKILL");
    await until(() => !isRunning(this.pid));
    await this.#fifo.close().catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (isRunning(this.pid)) await this.kill();
  }
}

/** Returns numbered lines; `numbered(1, 3, "line")` is "line 1\nline 2\nline 3\n". */
export function numbered(first: number, last: number, text: string): string {
  let lines = "";
  for (let number = first; number <= last; number++) lines += `${text} ${number}\n`;
  return lines;
}

export async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${condition}`);
    await delay(5);
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
