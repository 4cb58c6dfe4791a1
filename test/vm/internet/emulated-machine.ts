/**
 * Boots Debian with a kernel, control groups and a network card of its own, in QEMU: what is true here is true on
 * a server. All of it is emulated, so each step takes about ten times as long as on one.
 */

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../../../agent/src/host/exec.ts";
import { asRoot, DebianMachine, type Ran } from "../../release/support/debian-machine.ts";
import type { Wiring } from "../../release/support/wiring.ts";
import { until } from "../../support/until.ts";
import { qemuArgv, type BootFiles } from "../qemu-argv.ts";
import { GuestAgent } from "./guest-agent.ts";

const bootTimeoutMs = 600_000;
const runTimeoutMs = 1_200_000;
const memoryMb = 2_048;

export interface EmulatedOptions extends Wiring {
  name: string;
  /** Command that stands before QEMU's arguments. */
  qemu: readonly string[];
  system: BootFiles;
  /** A second disk, which the machine only reads. */
  luggage: string;
  /** Empty directory for the console's log and what the machine writes to its disk. */
  directory: string;
  /** Short path of the guest agent's socket: at most 107 bytes. */
  socket: string;
}

export class EmulatedMachine extends DebianMachine implements AsyncDisposable {
  readonly #options: EmulatedOptions;
  readonly #qemu: ChildProcess;
  readonly #agent: GuestAgent;

  private constructor(options: EmulatedOptions, qemu: ChildProcess, agent: GuestAgent) {
    super();
    this.#options = options;
    this.#qemu = qemu;
    this.#agent = agent;
  }

  /** Resolves once systemd has reached its target, and the machine is in its network. */
  static async boot(options: EmulatedOptions): Promise<EmulatedMachine> {
    const { name, directory, socket, qemu: program, system, luggage, bridge } = options;
    const card = `tap-${name}`;
    await exec(["ip", "tuntap", "add", card, "mode", "tap"]);
    await exec(["ip", "link", "set", card, "master", bridge, "up"]);
    const console = join(directory, "console.log");
    const argv = qemuArgv({
      qemu: program,
      ...system,
      memoryMb,
      console,
      disks: [luggage],
      channels: [{ name: "org.qemu.guest_agent.0", socket, listens: true }],
      network: [
        "-netdev",
        `tap,id=net,ifname=${card},script=no,downscript=no`,
        "-device",
        `virtio-net-pci,netdev=net,mac=${macOf(name)},romfile=`,
      ],
      restarts: true,
    });
    const [first = "", ...words] = argv;
    const qemu = spawn(first, words, {
      env: { ...process.env, TMPDIR: directory },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const agent = await until(
      async () => {
        if (qemu.exitCode !== null) throw new Error(`${name}: QEMU ended with ${qemu.exitCode}`);
        return await GuestAgent.connect(socket).catch(() => undefined);
      },
      { timeoutMs: 20_000, everyMs: 100, isFinal: () => qemu.exitCode !== null },
    );
    const machine = new EmulatedMachine(options, qemu, agent);
    await machine.#isUp();
    await machine.#enterNetwork();
    return machine;
  }

  override get name(): string {
    return this.#options.name;
  }

  override try(argv: readonly string[], variables: Record<string, string> = {}, input = ""): Promise<Ran> {
    return this.#agent.run(asRoot(argv, variables), input, runTimeoutMs);
  }

  /** Writes a file, of some kilobytes at most. */
  async write(path: string, content: string): Promise<void> {
    await this.run(["dd", "status=none", `of=${path}`], {}, content);
  }

  override async reboot(): Promise<void> {
    const bootId = () => this.run(["cat", "/proc/sys/kernel/random/boot_id"]);
    const before = await bootId();
    // The agent that would tell how it ended may be gone by then.
    await this.run(["systemctl", "--no-block", "reboot"]).catch(() => {});
    await until(
      async () => {
        if (!(await this.#agent.isThere())) return false;
        return (await bootId().catch(() => before)) !== before;
      },
      { timeoutMs: bootTimeoutMs, everyMs: 1_000 },
    );
    await this.#isUp();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent[Symbol.dispose]();
    if (this.#qemu.exitCode !== null || this.#qemu.signalCode !== null) return;
    const ended = once(this.#qemu, "close");
    this.#qemu.kill("SIGKILL");
    await ended;
  }

  async #isUp(): Promise<void> {
    const isUp = async () => {
      if (this.#qemu.exitCode !== null) throw new Error(`${this.name}: QEMU has ended`);
      if (!(await this.#agent.isThere())) return false;
      const { stdout } = await this.try(["systemctl", "is-system-running"]);
      return /^(?:running|degraded)/.test(stdout);
    };
    const isFinal = () => this.#qemu.exitCode !== null;
    await until(isUp, { timeoutMs: bootTimeoutMs, everyMs: 500, isFinal }).catch(async (cause: unknown) => {
      const log = await readFile(join(this.#options.directory, "console.log"), "utf8").catch(() => "");
      throw new Error(`${this.name} did not come up:\n${log.split("\n").slice(-30).join("\n")}`, { cause });
    });
  }

  /** Writes the settings of the network where a server has them, so that it is back after a reboot. */
  async #enterNetwork(): Promise<void> {
    const { name, address, router, nameServer } = this.#options;
    const network = `[Match]\nName=eth0\n\n[Network]\nAddress=${address}\nGateway=${router}\n`;
    await this.write("/etc/systemd/network/10-eth0.network", network);
    await this.run(["rm", "--force", "/etc/resolv.conf"]);
    await this.write("/etc/resolv.conf", `nameserver ${nameServer}\n`);
    await this.write("/etc/hostname", `${name}\n`);
    await this.write("/etc/hosts", `127.0.0.1 localhost\n127.0.1.1 ${name}\n`);
    await this.run(["hostname", name]);
    await this.run(["systemctl", "enable", "--quiet", "--now", "systemd-networkd"]);
    const isThere = async () => (await this.try(["ip", "route", "get", router])).code === 0;
    await until(isThere, { timeoutMs: 120_000, everyMs: 1_000 }).catch(async (cause: unknown) => {
      const looks = [
        ["ip", "address"],
        ["networkctl", "status", "--all", "--no-pager"],
        ["journalctl", "--unit=systemd-networkd", "--no-pager", "--lines=20"],
      ];
      const seen = await Promise.all(looks.map(async (look) => (await this.try(look)).stdout));
      throw new Error(`${name} has no network:\n${seen.join("\n")}`, { cause });
    });
  }
}

/** Returns an address of a network card that no other machine of the network has. */
function macOf(name: string): string {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_536;
  const bytes = [sum >> 8, sum & 255].map((byte) => byte.toString(16).padStart(2, "0"));
  return `52:54:00:00:${bytes.join(":")}`;
}
