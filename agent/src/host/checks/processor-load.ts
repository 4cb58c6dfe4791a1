/** Measures how busy the host's processors are. */

import { cpus } from "node:os";

interface Times {
  idleMs: number;
  allMs: number;
}

export class ProcessorLoad {
  #last = readTimes();

  /** Percent of all processors since the last call, or since this was made; 0 when no time has passed. */
  read(): number {
    const now = readTimes();
    const idleMs = now.idleMs - this.#last.idleMs;
    const allMs = now.allMs - this.#last.allMs;
    this.#last = now;
    return allMs > 0 ? Math.min(100, Math.max(0, (1 - idleMs / allMs) * 100)) : 0;
  }
}

function readTimes(): Times {
  const times = cpus().map((cpu) => cpu.times);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    idleMs: sum(times.map(({ idle }) => idle)),
    allMs: sum(times.flatMap((each) => Object.values(each))),
  };
}
