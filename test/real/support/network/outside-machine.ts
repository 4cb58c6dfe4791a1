/**
 * Provides a machine beyond this one, as projects see it: a network namespace with an address that no rule
 * keeps them from, reached through the kernel's NAT as everything outside is. What runs there ends with it.
 */

import { spawn, type ChildProcess } from "node:child_process";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../../../../agent/src/host/exec.ts";
import { findHostArchive } from "../../../../agent/src/images/host-archive.ts";
import { findHostNpmRegistry } from "../../../../agent/src/images/npm-package.ts";
import { until } from "../../../support/until.ts";
import { claimNumber, tryClaim } from "../host/claim-slot.ts";

const kind = "outside";

/**
 * Number of machines in 203.0.113.0/24, which belongs to nobody (RFC 5737): four addresses each, of which two
 * are this machine's and its own.
 */
const machineCount = 64;

const namespaces = "/run/netns";
const namePrefix = "tijolo-outside-";

export class OutsideMachine implements AsyncDisposable {
  /** Projects and this machine reach it there, on any port. */
  readonly address: string;
  readonly #name: string;
  readonly #link: string;
  readonly #children = new Set<ChildProcess>();

  private constructor(number: number) {
    this.address = `203.0.113.${number * 4 + 2}`;
    this.#name = `${namePrefix}${number}`;
    this.#link = `tijolo-out${number}`;
  }

  static async create(): Promise<OutsideMachine> {
    await removeDead((number) => new OutsideMachine(number).#remove());
    const taken = await numbersOfRegistries();
    const number = await claimNumber(kind, machineCount, (each) => !taken.has(each));
    const machine = new OutsideMachine(number);
    const [name, link] = [machine.#name, machine.#link];
    const commands = [
      `netns add ${name}`,
      `link add ${link} type veth peer name eth0 netns ${name}`,
      `address add 203.0.113.${number * 4 + 1}/30 dev ${link}`,
      `link set ${link} up`,
      `-n ${name} address add ${machine.address}/30 dev eth0`,
      `-n ${name} link set lo up`,
      `-n ${name} link set eth0 up`,
      `-n ${name} route add default via 203.0.113.${number * 4 + 1}`,
    ];
    for (const command of commands) await exec(["ip", ...command.split(" ")]);
    return machine;
  }

  /**
   * Runs a program there. What it prints goes to `output`, a descriptor, or its errors to where this test's
   * own go.
   */
  start(argv: readonly string[], output: number | null = null): ChildProcess {
    const child = spawn(
      "nsenter",
      [`--net=${join(namespaces, this.#name)}`, "setpriv", "--pdeathsig", "KILL", ...argv],
      {
        stdio: output === null ? ["ignore", "ignore", "inherit"] : ["ignore", output, output],
      },
    );
    this.#children.add(child);
    child.once("exit", () => this.#children.delete(child));
    return child;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#children].map(end));
    await this.#remove();
  }

  /** With whatever runs there: a program that changes its user is not ended with this one. */
  async #remove(): Promise<void> {
    if (existsSync(`/sys/class/net/${this.#link}`)) await exec(["ip", "link", "delete", this.#link]);
    if (existsSync(join(namespaces, this.#name))) {
      for (const pid of (await exec(["ip", "netns", "pids", this.#name])).stdout.split("\n").filter(Boolean))
        kill(Number(pid));
      await exec(["ip", "netns", "delete", this.#name]);
    }
    await until(() => !existsSync(`/sys/class/net/${this.#link}`));
  }
}

/**
 * In a closed network the registries may have such an address all the same: whoever took it would cut this
 * machine off from them.
 */
async function numbersOfRegistries(): Promise<ReadonlySet<number>> {
  const urls = [
    ...Object.values(await findHostArchive()),
    await findHostNpmRegistry(),
    process.env["http_proxy"],
    process.env["https_proxy"],
  ];
  const hosts = new Set(
    urls.flatMap((url) => (url !== undefined && URL.canParse(url) ? [new URL(url).hostname] : [])),
  );
  const found = await Promise.all(
    [...hosts].map((host) => lookup(host, { all: true, family: 4 }).catch(() => [])),
  );
  const own = found.flat().filter(({ address }) => address.startsWith("203.0.113."));
  return new Set(own.map(({ address }) => Number(address.split(".")[3]) >> 2));
}

/** Removes what test processes that were killed have left. */
async function removeDead(remove: (number: number) => Promise<void>): Promise<void> {
  const names = existsSync(namespaces) ? await readdir(namespaces) : [];
  for (const name of names.filter((each) => each.startsWith(namePrefix))) {
    const number = Number(name.slice(namePrefix.length));
    const claim = await tryClaim(kind, number);
    if (claim === undefined) continue;
    await remove(number);
    claim.close();
    await once(claim, "close");
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // it has just ended
  }
}

/** Ends a program by force, and resolves when it has. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
