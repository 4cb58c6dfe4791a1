/** Keeps the instance's nftables table in step with its entries. */

import { exec } from "../host/exec.ts";
import { NftShell } from "./nft-shell.ts";
import {
  additionText,
  removalText,
  tableText,
  type FirewallEntry,
  type FirewallSettings,
} from "./firewall-rules.ts";

/** Longest change in characters that the shell is given; longer ones are read faster from a file. */
const longestLine = 4_000;

/** Collects the changes that arrive while one is being written, and writes them in one transaction. */
export class Firewall {
  #settings: FirewallSettings;
  readonly #shell = new NftShell();
  /** Entries by their address. */
  #entries = new Map<string, FirewallEntry>();
  /** The constant part of the table as nft listed it when the table was last written completely. */
  #listed = "";
  #pendingText = "";
  #pendingWhole = false;
  #scheduled: Promise<void> | null = null;
  #tail: Promise<void> = Promise.resolve();

  constructor(settings: FirewallSettings) {
    this.#settings = settings;
  }

  /** Adds an entry, or changes that of its address. */
  set(entry: FirewallEntry): Promise<void> {
    const previous = this.#entries.get(entry.address);
    this.#entries.set(entry.address, entry);
    const isAddition =
      previous === undefined ||
      (previous.interface === entry.interface && previous.accountMark === null && previous.sitePort == null);
    return this.#write(
      `${isAddition ? "" : removalText(this.#settings.names, previous)}${additionText(this.#settings.names, entry)}`,
    );
  }

  /** Removes what stands at the place; nothing where another one has its address meanwhile. */
  async remove(place: Pick<FirewallEntry, "interface" | "address">): Promise<void> {
    const entry = this.#entries.get(place.address);
    if (entry === undefined || entry.interface !== place.interface) return;
    this.#entries.delete(place.address);
    await this.#write(removalText(this.#settings.names, entry));
  }

  /** Sets the addresses of the hosts that have a gateway; another set is written with the whole table. */
  async setGateways(gateways: readonly string[]): Promise<void> {
    if (gateways.join() === this.#settings.gateways.join()) return;
    this.#settings = { ...this.#settings, gateways };
    await this.restore(this.#settings.resolvers);
  }

  /**
   * Writes the whole table anew where another program has flushed or changed it. Otherwise it stays:
   * rewriting loses the count of open connections of each project, and a project could open as many again.
   */
  async mend(resolvers: readonly string[]): Promise<void> {
    const hasSame = resolvers.join() === this.#settings.resolvers.join();
    if (!hasSame || !(await this.#isIntact())) await this.restore(resolvers);
  }

  /**
   * Writes the whole table anew, whatever happened to it. `adopted` are entries of an earlier agent, which
   * the new table has from its first moment on.
   */
  restore(resolvers: readonly string[], adopted: readonly FirewallEntry[] = []): Promise<void> {
    this.#settings = { ...this.#settings, resolvers };
    for (const entry of adopted) this.#entries.set(entry.address, entry);
    this.#pendingWhole = true;
    return this.#write("");
  }

  /** Releases the table, which stays. */
  async close(): Promise<void> {
    await this.#tail;
    this.#shell.close();
  }

  /** Removes the table. */
  async destroy(): Promise<void> {
    await this.close();
    this.#entries.clear();
    const { table } = this.#settings.names;
    await writeRules(`add table inet ${table}\ndelete table inet ${table}\n`);
  }

  #write(text: string): Promise<void> {
    this.#pendingText += text;
    if (this.#scheduled === null) {
      const scheduled = this.#tail.then(() => this.#flush());
      this.#scheduled = scheduled;
      this.#tail = scheduled.catch(() => {}); // told to those who asked for the change
    }
    return this.#scheduled;
  }

  /** True when the table is intact; checked between the writes. */
  #isIntact(): Promise<boolean> {
    const looked = this.#tail.then(async () => {
      if (this.#scheduled !== null) return true; // that write will find out
      const entries = [...this.#entries.values()];
      const marked = entries.filter(({ accountMark }) => accountMark !== null);
      const { names } = this.#settings;
      const here = entries.filter(({ interface: link }) => link !== null);
      const sites = here.filter(({ sitePort }) => sitePort != null);
      const expected = [this.#listed, here.length, marked.length, marked.length, sites.length];
      const found = await Promise.all([
        listTable(names.table),
        countElements("set", names.table, "sources"),
        countElements("map", names.table, "accounts"),
        countElements("set", names.table, "members"),
        countElements("set", names.table, "sites"),
      ]);
      return found.every((value, index) => value === expected[index]);
    });
    this.#tail = looked.then(
      () => {},
      () => {},
    );
    return looked.catch(() => false);
  }

  async #flush(): Promise<void> {
    const text = this.#pendingText;
    const isWhole = this.#pendingWhole;
    this.#scheduled = null;
    this.#pendingText = "";
    this.#pendingWhole = false;
    if (!isWhole) {
      try {
        return await (this.#shell.isUsable && text.length <= longestLine
          ? this.#shell.run(text)
          : writeRules(text));
      } catch {
        // The table is not what it should be; write all of it.
      }
    }
    await writeRules(tableText(this.#settings, [...this.#entries.values()]));
    this.#listed = await listTable(this.#settings.names.table);
  }
}

async function writeRules(text: string): Promise<void> {
  await exec(["nft", "--file", "-"], { input: text });
}

/**
 * Lists what no change of a project touches: the table's chains and the elements of its constant sets,
 * without counts.
 */
async function listTable(table: string): Promise<string> {
  const listed = await Promise.all([
    exec(["nft", "--stateless", "--terse", "list", "table", "inet", table]),
    ...["refused", "resolvers", "gateways"].map((set) => exec(["nft", "list", "set", "inet", table, set])),
  ]);
  return listed.map(({ stdout }) => stdout).join("");
}

async function countElements(kind: "set" | "map", table: string, name: string): Promise<number> {
  const { stdout } = await exec(["nft", "list", kind, "inet", table, name]);
  const elements = /elements = \{([^}]*)\}/.exec(stdout)?.[1];
  return elements === undefined ? 0 : elements.split(",").length;
}
