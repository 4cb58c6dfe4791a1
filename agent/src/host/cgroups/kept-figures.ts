/** Reads the figures of one group from files that stay open. */

import type { CgroupUsage, GroupFigures } from "./cgroup.ts";
import { field, saysPopulated } from "./cgroup-tree.ts";
import { KeptFile } from "../files/kept-file.ts";

/** Paths. */
export interface FiguresFiles {
  /** Path of `cgroup.events`. */
  events: string;
  /** Path of a file with a number of bytes. */
  memory: string;
  cpu: string;
  /** Path of a file with a line `oom_kill <count>`. */
  oom: string;
}

export class KeptFigures implements GroupFigures {
  readonly #events: KeptFile;
  readonly #memory: KeptFile;
  readonly #cpu: KeptFile;
  readonly #oom: KeptFile;
  readonly #toUsec: (cpuText: string) => number;

  /** `toUsec` converts the text of the cpu's file to microseconds; an empty text to 0. */
  constructor({ events, memory, cpu, oom }: FiguresFiles, toUsec: (cpuText: string) => number) {
    this.#events = new KeptFile(events);
    this.#memory = new KeptFile(memory);
    this.#cpu = new KeptFile(cpu);
    this.#oom = new KeptFile(oom);
    this.#toUsec = toUsec;
  }

  isPopulated(): boolean {
    return saysPopulated(this.#events.read());
  }

  usage(): CgroupUsage {
    return {
      memoryBytes: Number(this.#memory.read()),
      cpuUsec: this.#toUsec(this.#cpu.read()),
      oomKills: field(this.#oom.read(), "oom_kill"),
    };
  }

  [Symbol.dispose](): void {
    for (const file of [this.#events, this.#memory, this.#cpu, this.#oom]) file.close();
  }
}
