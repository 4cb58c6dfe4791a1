/** The arguments of QEMU for the machines of these tests. */

/** A kernel with its first file system, and the disk that it boots from. */
export interface BootFiles {
  kernel: string;
  initrd: string;
  disk: string;
}

export interface QemuMachine extends BootFiles {
  /** Command that stands before QEMU's arguments. */
  qemu: readonly string[];
  memoryMb: number;
  /** File for what the machine prints to its console. */
  console: string;
  /** Files of more disks. Nothing is written to them, nor to `disk`: what the machine writes ends with it. */
  disks: readonly string[];
  /** Serial ports by name, each a Unix socket here that QEMU connects to, or listens at. */
  channels: readonly { name: string; socket: string; listens?: boolean }[];
  /** Arguments of its network card. */
  network: readonly string[];
  /** True: a reboot boots it again. False: a reboot ends QEMU. */
  restarts: boolean;
}

/**
 * Software emulation of one old processor: nested KVM is often broken. `--pdeathsig` ends QEMU also when this process is killed.
 */
export function qemuArgv(machine: QemuMachine): string[] {
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
    ["setpriv", "--pdeathsig", "KILL", ...machine.qemu],
    ["-accel", "tcg,thread=single", "-cpu", "Nehalem", "-smp", "1", "-m", String(machine.memoryMb)],
    ["-display", "none", "-vga", "none", "-monitor", "none", ...(machine.restarts ? [] : ["-no-reboot"])],
    ["-serial", `file:${machine.console}`],
    ["-kernel", machine.kernel, "-initrd", machine.initrd, "-append", append.join(" ")],
    ["-snapshot"],
    ...[machine.disk, ...machine.disks].map((file) => ["-drive", `file=${file},format=raw,if=virtio`]),
    ["-device", "virtio-rng-pci", "-device", "virtio-serial-pci"],
    ...machine.channels.map(({ name, socket, listens = false }, index) => [
      "-chardev",
      `socket,id=channel${index},path=${socket}${listens ? ",server=on,wait=off" : ""}`,
      "-device",
      `virtserialport,chardev=channel${index},name=${name}`,
    ]),
    machine.network,
  ];
  return groups.flat();
}
