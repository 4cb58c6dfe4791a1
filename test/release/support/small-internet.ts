/**
 * A small internet without a way out: this process's own network namespace, with a bridge that machines are on, a
 * second one behind NAT, the name server of every zone, and an ACME authority. It needs namespaces of its own
 * (`test/support/machine/in-namespaces.ts`), with which all of it ends.
 */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../../../agent/src/host/exec.ts";
import { Pebble } from "../../support/certificates/pebble.ts";
import { NameServer } from "../../support/domains/name-server.ts";
import { BootedMachine } from "./booted-machine.ts";
import { homeRouter, mutedAddress, routerAddress, wiringOf, type MachinePlace } from "./wiring.ts";
import { machineTree, type ContainerTree } from "./machine-tree.ts";

const masquerade = `table ip home {
  chain out {
    type nat hook postrouting priority srcnat
    ip saddr 192.168.77.0/24 oifname "br0" masquerade
  }
  chain pass {
    type filter hook forward priority filter
    ip saddr ${mutedAddress} ip protocol udp drop
    iifname "br0" oifname "br1" ct state new drop
  }
}
`;

export class SmallInternet implements AsyncDisposable {
  readonly names: NameServer;
  readonly authority: Pebble;
  readonly #directory: string;
  readonly #resources: AsyncDisposableStack;

  private constructor(parts: {
    names: NameServer;
    authority: Pebble;
    directory: string;
    resources: AsyncDisposableStack;
  }) {
    this.names = parts.names;
    this.authority = parts.authority;
    this.#directory = parts.directory;
    this.#resources = parts.resources;
  }

  static async create(directory: string): Promise<SmallInternet> {
    await using resources = new AsyncDisposableStack();
    const ip = (command: string) => exec(["ip", ...command.split(" ")]);
    await ip("link set lo up");
    for (const [bridge, address] of [
      ["br0", routerAddress],
      ["br1", homeRouter],
    ]) {
      await ip(`link add ${bridge} type bridge`);
      await ip(`address add ${address}/24 dev ${bridge}`);
      await ip(`link set ${bridge} up`);
    }
    await writeFile("/proc/sys/net/ipv4/ip_forward", "1");
    await exec(["nft", "--file", "-"], { input: masquerade });
    const names = resources.use(await NameServer.open({ address: routerAddress, port: 53 }));
    names.zone("nomes.dev");
    const name = "acme.nomes.dev";
    names.set(name, "A", [routerAddress]);
    // This process asks the same name server as the machines do, as a visitor's computer does.
    const resolvers = join(directory, "resolv.conf");
    await writeFile(resolvers, `nameserver ${routerAddress}\n`);
    await exec(["mount", "--bind", resolvers, "/etc/resolv.conf"]);
    const at = { name, address: routerAddress };
    const authority = resources.use(await Pebble.start({ at, httpPort: 80, dnsPort: 53 }));
    return new SmallInternet({ names, authority, directory, resources: resources.move() });
  }

  /** Boots a machine in a container; it is turned off with the rest. */
  async boot(name: string, place: MachinePlace, kind: ContainerTree = "whole"): Promise<BootedMachine> {
    const directory = join(this.#directory, name);
    await mkdir(directory);
    const tree = await machineTree(kind);
    return this.use(await BootedMachine.boot({ name, tree, directory, ...wiringOf(place) }));
  }

  /** Ends the resource with this internet, before the networks go. */
  use<T extends AsyncDisposable>(resource: T): T {
    return this.#resources.use(resource);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}
