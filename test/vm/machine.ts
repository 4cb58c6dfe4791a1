/** Boots the virtual machine, passes on its output, and makes sure that it ends. */

import { join } from "node:path";
import { exec, hostEnvironment } from "../../agent/src/host/exec.ts";
import { openPort } from "./port.ts";
import { qemuArgv, type BootFiles } from "./qemu-argv.ts";

export interface MachineRequest {
  /** Command that stands before QEMU's arguments. */
  qemu: readonly string[];
  image: BootFiles;
  workDisk: string;
  /** Takes the console log and the throw-away part of the disks. */
  directory: string;
  /** Takes the sockets of the machine's ports. Short: a socket's path has at most 107 bytes. */
  socketDirectory: string;
  hasNetwork: boolean;
  bootTimeoutMs: number;
  runTimeoutMs: number;
  /** Called with each line that the tests print. */
  onLine: (line: string) => void;
  signal: AbortSignal;
}

export interface MachineResult {
  /** Exit code of `node --test` in the machine; null when the machine ended without one. */
  code: number | null;
  /** Reason why there is no exit code. */
  reason: string | null;
  /** Null when it did not come up. */
  bootMs: number | null;
  totalMs: number;
}

/**
 * Runs the machine until it switches itself off or a deadline or `signal` ends it. Never rejects for what
 * happens inside.
 */
export async function runMachine(request: MachineRequest): Promise<MachineResult> {
  const startedAt = performance.now();
  const deadline = new AbortController();
  let bootMs: number | null = null;
  let code: number | null = null;
  let reason: string | null = null;
  const bootTimer = setTimeout(() => {
    deadline.abort(new Error(`the machine did not come up within ${request.bootTimeoutMs / 1000} s`));
  }, request.bootTimeoutMs);
  let runTimer: NodeJS.Timeout | undefined;

  const onLine = (line: string) => {
    if (bootMs === null && line.startsWith("tijolo-vm:")) {
      bootMs = performance.now() - startedAt;
      clearTimeout(bootTimer);
      runTimer = setTimeout(() => {
        deadline.abort(new Error(`the tests did not end within ${request.runTimeoutMs / 1000} s`));
      }, request.runTimeoutMs);
    }
    request.onLine(line);
  };

  try {
    const output = await openPort(join(request.socketDirectory, "output"), onLine);
    const result = await openPort(join(request.socketDirectory, "result"), (line) => {
      code = Number.parseInt(line, 10);
    });
    try {
      await exec(argvOf(request), {
        env: { ...hostEnvironment, TMPDIR: request.directory },
        timeoutMs: request.bootTimeoutMs + request.runTimeoutMs + 60_000,
        signal: AbortSignal.any([deadline.signal, request.signal]),
      });
    } finally {
      await Promise.all([output.close(), result.close()]);
    }
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(bootTimer);
    clearTimeout(runTimer);
  }
  if (code === null) reason ??= "the machine switched itself off before the tests ended";
  return { code, reason: code === null ? reason : null, bootMs, totalMs: performance.now() - startedAt };
}

function argvOf(request: MachineRequest): string[] {
  const { qemu, image, directory, socketDirectory } = request;
  return qemuArgv({
    qemu,
    ...image,
    memoryMb: 4096,
    console: join(directory, "console.log"),
    disks: [request.workDisk],
    channels: ["output", "result"].map((name) => ({
      name: `tijolo.${name}`,
      socket: join(socketDirectory, name),
    })),
    network: request.hasNetwork
      ? ["-netdev", "user,id=outside", "-device", "virtio-net-pci,netdev=outside,romfile="]
      : ["-nic", "none"],
    restarts: false,
  });
}
