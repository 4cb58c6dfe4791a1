/** Simulates one container: does the steps of its program until it ends, by itself or by a signal. */

import { parseSimulatedProgram, type SimulatedStep } from "./simulated-program.ts";

export interface SimulatedEnd {
  code: number;
  isOutOfMemory: boolean;
}

export interface SimulatedOptions {
  command: string;
  /** Behaviour of the program once it has no step left (or is not in the simulated language). */
  atLast: "run" | "succeed";
  /** Resolves when the gate of its project is opened. */
  gate: Promise<void>;
  write(stream: "stdout" | "stderr", text: string): Promise<void>;
}

export class SimulatedContainer {
  /** Resolves when it has ended. Never rejects. */
  readonly ended: Promise<SimulatedEnd>;
  readonly #end: (end: SimulatedEnd) => void;
  readonly #options: SimulatedOptions;
  readonly #timers = new Set<NodeJS.Timeout>();
  #isOver = false;
  #ignoresTerm = false;
  #listens = true;
  #termCode = 143;

  /** Throws the text of a `fail-start` step. */
  constructor(options: SimulatedOptions) {
    const { promise, resolve } = Promise.withResolvers<SimulatedEnd>();
    this.ended = promise;
    this.#options = options;
    this.#end = (end) => {
      if (this.#isOver) return;
      this.#isOver = true;
      for (const timer of this.#timers) clearTimeout(timer);
      resolve(end);
    };
    const steps = parseSimulatedProgram(options.command);
    for (const step of steps ?? []) if (step.kind === "fail-start") throw new Error(step.text);
    void this.#run(steps);
  }

  /** True while the program listens on the port that it was given, if any. */
  get listens(): boolean {
    return this.#listens && !this.#isOver;
  }

  terminate(): void {
    if (!this.#ignoresTerm) this.#end({ code: this.#termCode, isOutOfMemory: false });
  }

  kill(): void {
    this.#end({ code: 137, isOutOfMemory: false });
  }

  async #run(steps: SimulatedStep[] | null): Promise<void> {
    try {
      for (const step of steps ?? []) {
        if (this.#isOver) return;
        await this.#do(step);
      }
      if (this.#options.atLast === "succeed") this.#end({ code: 0, isOutOfMemory: false });
    } catch {
      this.#end({ code: 1, isOutOfMemory: false }); // its log could not be written
    }
  }

  async #do(step: SimulatedStep): Promise<void> {
    switch (step.kind) {
      case "run":
        await this.ended;
        return;
      case "gate":
        await Promise.race([this.#options.gate, this.ended]);
        return;
      case "exit":
        await this.#wait(step.afterMs);
        this.#end({ code: step.code, isOutOfMemory: step.isOutOfMemory });
        return;
      case "wait":
        return this.#wait(step.ms);
      case "log":
        if (step.count === 0) return;
        return this.#options.write(
          "stdout",
          Array.from({ length: step.count }, (_, index) => `line ${index + 1}`).join("\n"),
        );
      case "print":
        return this.#options.write(step.stream, step.text);
      case "ignore-term":
        this.#ignoresTerm = true;
        return;
      case "term":
        this.#termCode = step.code;
        return;
      case "deaf":
      case "listen":
        this.#listens = step.kind === "listen";
        return;
      case "fail-start":
        return;
    }
  }

  async #wait(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#timers.add(timer);
    await Promise.race([promise, this.ended]);
    this.#timers.delete(timer);
  }
}
