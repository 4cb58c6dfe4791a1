/** Keeps the instance's nftables table as the entries that are to stand in it. */

import { exec } from "../host/exec.ts";
import { additionText, removalText, tableText, type FirewallEntry, type FirewallSettings } from "./firewall-rules.ts";

/** Changes that come while one is being written go into the kernel together, in one transaction. */
export class Firewall {
  #settings: FirewallSettings;
  #entries = new Map<string, FirewallEntry>();
  #pendingText = "";
  #pendingWhole = false;
  #scheduled: Promise<void> | null = null;
  #tail: Promise<void> = Promise.resolve();

  constructor(settings: FirewallSettings) {
    this.#settings = settings;
  }

  /** Adds an interface, or gives it another account. */
  set(entry: FirewallEntry): Promise<void> {
    const previous = this.#entries.get(entry.interface);
    this.#entries.set(entry.interface, entry);
    const isAddition = previous === undefined || (previous.accountMark === null && previous.address === entry.address);
    return this.#write(`${isAddition ? "" : removalText(this.#settings.names, previous)}${additionText(this.#settings.names, entry)}`);
  }

  async remove(interfaceName: string): Promise<void> {
    const entry = this.#entries.get(interfaceName);
    if (entry === undefined) return;
    this.#entries.delete(interfaceName);
    await this.#write(removalText(this.#settings.names, entry));
  }

  /**
   * Writes the whole table anew, whatever became of it: another program may have flushed all rules.
   * `adopted` are entries of an earlier agent, which the new table has from its first moment on.
   */
  restore(resolvers: readonly string[], adopted: readonly FirewallEntry[] = []): Promise<void> {
    this.#settings = { ...this.#settings, resolvers };
    for (const entry of adopted) this.#entries.set(entry.interface, entry);
    this.#pendingWhole = true;
    return this.#write("");
  }

  /** Removes the table. */
  async destroy(): Promise<void> {
    await this.#tail;
    this.#entries.clear();
    const { table } = this.#settings.names;
    await exec(["nft", "--file", "-"], { input: `add table inet ${table}\ndelete table inet ${table}\n` });
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

  async #flush(): Promise<void> {
    const text = this.#pendingText;
    const isWhole = this.#pendingWhole;
    this.#scheduled = null;
    this.#pendingText = "";
    this.#pendingWhole = false;
    if (!isWhole) {
      try {
        await exec(["nft", "--file", "-"], { input: text });
        return;
      } catch {
        // The table is not what it should be; write all of it.
      }
    }
    await exec(["nft", "--file", "-"], { input: tableText(this.#settings, [...this.#entries.values()]) });
  }
}
