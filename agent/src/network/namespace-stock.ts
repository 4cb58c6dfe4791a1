/**
 * Manages the namespaces of this instance: makes new ones with free addresses, and finds the ones that nobody
 * owns any more.
 */

import { randomBytes } from "node:crypto";
import { isInRange, nextAddress, type AddressRange } from "./address-range.ts";
import { serialPattern, type InstanceNames } from "./instance-names.ts";
import { listInterfaces, listNamespaces, makeNamespaces, type Namespace } from "./namespace.ts";

export interface NamespaceStockOptions {
  names: InstanceNames;
  range: AddressRange;
  /** Returns the namespaces that have an owner. */
  owned: () => readonly Namespace[];
  /** The address that was given out last by an earlier agent. */
  lastAddress: string | undefined;
  /** Lets a new namespace send. */
  admit(namespace: Namespace): Promise<void>;
}

export class NamespaceStock {
  readonly #options: NamespaceStockOptions;
  /** Namespaces that are made or being made, and have no owner yet. */
  readonly #unclaimed = new Set<Namespace>();
  #lastAddress: string | undefined;

  constructor(options: NamespaceStockOptions) {
    this.#options = options;
    this.#lastAddress = options.lastAddress;
  }

  async make(count: number): Promise<Namespace[]> {
    const namespaces = Array.from({ length: count }, () => this.#newNamespace(this.#freeAddress()));
    await this.#makeAll(namespaces);
    return namespaces;
  }

  /** Makes a namespace with this address if it is one of the subnet's, otherwise with a free one. */
  async makeAt(address: string): Promise<Namespace> {
    const namespace = this.#newNamespace(
      isInRange(this.#options.range, address) ? address : this.#freeAddress(),
    );
    await this.#makeAll([namespace]);
    return namespace;
  }

  /** Takes the namespace out of the stock: it has an owner now, or nobody needs it and it becomes a stray. */
  handOver(namespace: Namespace): void {
    this.#unclaimed.delete(namespace);
  }

  clear(): void {
    this.#unclaimed.clear();
  }

  /** Returns interfaces and namespaces that have this instance's names and no owner. */
  async strays(): Promise<{ interface: string; name: string }[]> {
    const [interfaces, namespaces] = await Promise.all([listInterfaces(), listNamespaces()]);
    const { interfacePrefix, namespacePrefix } = this.#options.names;
    const known = new Set(this.#known().map((namespace) => namespace.name));
    const serials = [...serialsOf(interfaces, interfacePrefix), ...serialsOf(namespaces, namespacePrefix)];
    return [...new Set(serials)]
      .map((serial) => ({ interface: `${interfacePrefix}${serial}`, name: `${namespacePrefix}${serial}` }))
      .filter(({ name }) => !known.has(name));
  }

  async #makeAll(namespaces: readonly Namespace[]): Promise<void> {
    try {
      await makeNamespaces(namespaces);
      await Promise.all(namespaces.map((namespace) => this.#options.admit(namespace)));
    } catch (error) {
      for (const namespace of namespaces) this.#unclaimed.delete(namespace);
      throw error;
    }
  }

  #newNamespace(address: string): Namespace {
    const { interfacePrefix, namespacePrefix } = this.#options.names;
    const serial = (randomBytes(6).readUIntBE(0, 6) % 36 ** 8).toString(36).padStart(8, "0");
    const namespace = {
      interface: `${interfacePrefix}${serial}`,
      name: `${namespacePrefix}${serial}`,
      address,
    };
    this.#unclaimed.add(namespace);
    return namespace;
  }

  #freeAddress(): string {
    const { range } = this.#options;
    const taken = new Set(this.#known().map((namespace) => namespace.address));
    const address = nextAddress(range, (candidate) => taken.has(candidate), this.#lastAddress);
    if (address === undefined) throw new Error(`Every address of ${range.cidr} is taken`);
    this.#lastAddress = address;
    return address;
  }

  #known(): Namespace[] {
    return [...this.#unclaimed, ...this.#options.owned()];
  }
}

function serialsOf(names: readonly string[], prefix: string): string[] {
  return names
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((serial) => serialPattern.test(serial));
}
