/** Reads the figures of one group from files that stay open. */

import type { CgroupUsage, GroupFigures } from "./cgroup.ts";
import { field, saysPopulated } from "./cgroup-tree.ts";
import { KeptFile } from "../files/kept-file.ts";

/** Paths of a group's files, and the names of the lines that are read. */
export interface FiguresFiles {
  /** Path of `cgroup.events`. */
  events: string;
  /** Path of a file with a number of bytes. */
  memory: string;
  /** Path of a file with lines `<name> <bytes>`. */
  memoryDetails: string;
  /**
   * Name of the line that counts the page cache that the kernel takes back first, of the group and below it.
   */
  reclaimable: "inactive_file" | "total_inactive_file";
  cpu: string;
  /** Path of a file with a line `oom_kill <count>`. */
  oom: string;
}

export class KeptFigures implements GroupFigures {
  readonly #events: KeptFile;
  readonly #memory: KeptFile;
  readonly #memoryDetails: KeptFile;
  readonly #reclaimable: string;
  readonly #cpu: KeptFile;
  readonly #oom: KeptFile;
  readonly #toUsec: (cpuText: string) => number;

  /** `toUsec` converts the text of the cpu's file to microseconds; an empty text to 0. */
  constructor(
    { events, memory, memoryDetails, reclaimable, cpu, oom }: FiguresFiles,
    toUsec: (cpuText: string) => number,
  ) {
    this.#events = new KeptFile(events);
    this.#memory = new KeptFile(memory);
    this.#memoryDetails = new KeptFile(memoryDetails);
    this.#reclaimable = reclaimable;
    this.#cpu = new KeptFile(cpu);
    this.#oom = new KeptFile(oom);
    this.#toUsec = toUsec;
  }

  isPopulated(): boolean {
    return saysPopulated(this.#events.read());
  }

  usage(): CgroupUsage {
    return {
      memoryBytes: this.#memoryBytes(),
      cpuUsec: this.#toUsec(this.#cpu.read()),
      oomKills: field(this.#oom.read(), "oom_kill"),
    };
  }

  [Symbol.dispose](): void {
    for (const file of [this.#events, this.#memory, this.#memoryDetails, this.#cpu, this.#oom]) file.close();
  }

  /**
   * Counts as `docker stats` does: what the group is charged with, without the page cache that the kernel
   * takes back first. A program that reads large files would otherwise seem to need all of its memory.
   */
  #memoryBytes(): number {
    const charged = Number(this.#memory.read());
    const reclaimable = field(this.#memoryDetails.read(), this.#reclaimable);
    return reclaimable < charged ? charged - reclaimable : charged;
  }
}
