/** The figures of one group from files that stay open. */

import type { CgroupUsage, GroupFigures } from "./cgroup.ts";
import { field, saysPopulated } from "./cgroup-tree.ts";
import { KeptFile } from "../files/kept-file.ts";

/** Paths. */
export interface FiguresFiles {
  /** `cgroup.events`. */
  events: string;
  /** Holds a number of bytes. */
  memory: string;
  cpu: string;
  /** Has a line `oom_kill <count>`. */
  oom: string;
}

export class KeptFigures implements GroupFigures {
  readonly #events: KeptFile;
  readonly #memory: KeptFile;
  readonly #cpu: KeptFile;
  readonly #oom: KeptFile;
  readonly #toUsec: (cpuText: string) => number;

  /** `toUsec` makes microseconds of what stands in the file of the cpu; of nothing, 0. */
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
