/** Boots the virtual machine, passes on its output, and makes sure that it ends. */

import { join } from "node:path";
import { exec, hostEnvironment } from "../../agent/src/host/exec.ts";
import type { Image } from "./image.ts";
import { openPort } from "./port.ts";

export interface MachineRequest {
  image: Image;
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
      await exec(qemuArgv(request), {
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

/**
 * Software emulation of one old processor: QEMU 7.2 computes cmpxchg16b wrongly, several emulated processors
 * corrupt memory, and nested KVM is often broken. `--pdeathsig` ends QEMU also when this process is killed.
 */
function qemuArgv(request: MachineRequest): string[] {
  const { image, directory, socketDirectory } = request;
  const append = [
    "root=/dev/vda",
    "rw",
    "console=ttyS0",
    "loglevel=4",
    "panic=-1",
    "mitigations=off",
    "net.ifnames=0",
    "systemd.show_status=true",
  ];
  const groups = [
    ["setpriv", "--pdeathsig", "KILL", "qemu-system-x86_64"],
    ["-accel", "tcg,thread=single", "-cpu", "Nehalem,-cx16", "-smp", "1", "-m", "4096"],
    ["-display", "none", "-monitor", "none", "-no-reboot"],
    ["-serial", `file:${join(directory, "console.log")}`],
    ["-kernel", image.kernel, "-initrd", image.initrd, "-append", append.join(" ")],
    [
      "-snapshot",
      "-drive",
      `file=${image.disk},format=raw,if=virtio`,
      "-drive",
      `file=${request.workDisk},format=raw,if=virtio`,
    ],
    ["-device", "virtio-rng-pci", "-device", "virtio-serial-pci"],
    [
      "-chardev",
      `socket,id=output,path=${join(socketDirectory, "output")}`,
      "-device",
      "virtserialport,chardev=output,name=tijolo.output",
    ],
    [
      "-chardev",
      `socket,id=result,path=${join(socketDirectory, "result")}`,
      "-device",
      "virtserialport,chardev=result,name=tijolo.result",
    ],
    request.hasNetwork
      ? ["-netdev", "user,id=outside", "-device", "virtio-net-pci,netdev=outside,romfile="]
      : ["-nic", "none"],
  ];
  return groups.flat();
}
