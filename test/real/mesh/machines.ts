/**
 * Machines with networks of their own that one kernel can be taken for: two in public, one behind NAT, and one
 * behind NAT that drops UDP. It needs namespaces of its own (`test/support/machine/in-namespaces.ts`), with
 * which all of it ends.
 */

import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../../../agent/src/host/exec.ts";
import { until } from "../../support/until.ts";

/** Address of this process, where central listens; the public machines are beside it. */
export const publicAddress = "20.0.0.1";
const homeRouter = "192.168.77.1";
/** The machine at home whose UDP goes nowhere. */
const mutedAddress = "192.168.77.4";

const rules = `table ip home {
  chain out {
    type nat hook postrouting priority srcnat
    ip saddr 192.168.77.0/24 oifname "public" masquerade
  }
  chain pass {
    type filter hook forward priority filter
    ip saddr ${mutedAddress} ip protocol udp counter drop
    iifname "public" oifname "home" ct state new drop
  }
}
`;

export interface Machine {
  address: string;
  /** What to put before the arguments of a program that runs on it. */
  within: readonly string[];
}

export class Machines implements Disposable {
  readonly #directory: string;
  readonly #holders: ChildProcess[] = [];

  private constructor(directory: string) {
    this.#directory = directory;
  }

  static async create(directory: string): Promise<Machines> {
    await ip("link set lo up");
    for (const [bridge, address] of [
      ["public", publicAddress],
      ["home", homeRouter],
    ]) {
      await ip(`link add ${bridge} type bridge`);
      await ip(`address add ${address}/24 dev ${bridge}`);
      await ip(`link set ${bridge} up`);
    }
    await writeFile("/proc/sys/net/ipv4/ip_forward", "1");
    await exec(["nft", "--file", "-"], { input: rules });
    return new Machines(directory);
  }

  /** Turns a machine on. */
  async add(name: string, place: "public" | "home" | "muted"): Promise<Machine> {
    const index = this.#holders.length + 10;
    const [bridge, address, router] =
      place === "public"
        ? (["public", `20.0.0.${index}`, publicAddress] as const)
        : (["home", place === "muted" ? mutedAddress : `192.168.77.${index}`, homeRouter] as const);
    const holding = ["--pdeathsig", "KILL", "unshare", "--net", "--mount", "sleep", "infinity"];
    const holder = spawn("setpriv", holding, { stdio: "ignore" });
    this.#holders.push(holder);
    const within = ["nsenter", "--net", "--mount", `--target=${holder.pid}`];
    const inside = (argv: readonly string[]) => exec([...within, ...argv]);
    const outside = await networkOf("self");
    await until(async () => (await networkOf(String(holder.pid))) !== outside);
    const link = `to-${name}`;
    await ip(`link add ${link} type veth peer name eth0 netns ${holder.pid}`);
    await ip(`link set ${link} master ${bridge} up`);
    for (const command of [
      "link set lo up",
      `address add ${address}/24 dev eth0`,
      "link set eth0 up",
      `route add default via ${router}`,
    ])
      await inside(["ip", ...command.split(" ")]);
    // The kernel's files about networks are those of the namespace that mounted them.
    const groups = join(this.#directory, `${name}-groups`);
    await mkdir(groups);
    await inside(["mount", "--rbind", "/sys/fs/cgroup", groups]);
    await inside(["mount", "-t", "sysfs", "sysfs", "/sys"]);
    await inside(["mount", "--rbind", groups, "/sys/fs/cgroup"]);
    return { address, within };
  }

  [Symbol.dispose](): void {
    for (const holder of this.#holders) holder.kill("SIGKILL");
  }
}

function ip(command: string) {
  return exec(["ip", ...command.split(" ")]);
}

async function networkOf(process: string): Promise<string> {
  return (await exec(["readlink", `/proc/${process}/ns/net`])).stdout;
}
