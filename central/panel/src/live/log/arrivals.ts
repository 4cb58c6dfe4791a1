/** Collects what arrives and hands it on at most every 50 ms: a flood costs as few drawings as a trickle. */

import type { NewEntry } from "./log-buffer.ts";

/** Milliseconds between two drawings of what arrived. */
const drawMs = 50;
/** Entries within `calmMs` up to which a screen reader can keep up. */
const mostWhenCalm = 5;
const calmMs = 1_000;

export interface ArrivalsListener {
  onAdded: (added: readonly NewEntry[]) => void;
  /** False while too much arrives for anybody to listen to. */
  onCalm: (isCalm: boolean) => void;
}

export class Arrivals {
  readonly #listener: ArrivalsListener;
  #waiting: NewEntry[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #calming: ReturnType<typeof setTimeout> | undefined;
  #sinceCalm = 0;

  constructor(listener: ArrivalsListener) {
    this.#listener = listener;
  }

  add(added: readonly NewEntry[]): void {
    for (const entry of added) this.#waiting.push(entry);
    this.#timer ??= setTimeout(() => this.flush(), drawMs);
  }

  /** Hands on at once what waits. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const added = this.#waiting;
    this.#waiting = [];
    if (added.length === 0) return;
    this.#sinceCalm += added.length;
    this.#calming ??= setTimeout(() => this.#look(), calmMs);
    if (this.#sinceCalm > mostWhenCalm) this.#listener.onCalm(false);
    this.#listener.onAdded(added);
  }

  end(): void {
    this.flush();
    clearTimeout(this.#calming);
  }

  #look(): void {
    this.#calming = undefined;
    if (this.#sinceCalm <= mostWhenCalm) this.#listener.onCalm(true);
    else this.#calming = setTimeout(() => this.#look(), calmMs);
    this.#sinceCalm = 0;
  }
}
