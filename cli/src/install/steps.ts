/** Carries out the steps of an installation; after a failed one the earlier ones are taken back. */

import type { Messages } from "../messages.ts";
import type { Output } from "../show/output.ts";

type StepName = keyof Messages["install"]["steps"];

/** Takes back what a step changed. */
export type Undo = () => Promise<void>;

export interface Step {
  name: StepName;
  /** Resolves with null when there was nothing to change. */
  run(): Promise<Undo | null>;
}

/** Thrown by a step of several parts, of which some were done. */
class PartlyDoneError extends Error {
  override name = "PartlyDoneError";
  readonly undo: Undo;

  constructor(cause: unknown, undo: Undo) {
    super(reasonOf(cause), { cause });
    this.undo = undo;
  }
}

/**
 * Runs a step of several parts, which notes how each is taken back. When one fails, the parts before it are taken
 * back with the rest of the installation. Resolves with null when none was noted.
 */
export async function inParts(
  run: (note: (undo: Undo | null) => void) => Promise<void>,
): Promise<Undo | null> {
  const undos: Undo[] = [];
  const undoAll = async () => {
    for (const undo of undos.toReversed()) await undo();
  };
  const note = (undo: Undo | null) => {
    if (undo !== null) undos.push(undo);
  };
  try {
    await run(note);
  } catch (cause) {
    if (cause instanceof PartlyDoneError) note(cause.undo);
    throw new PartlyDoneError(cause, undoAll);
  }
  return undos.length === 0 ? null : undoAll;
}

/** Notes whether steps have changed something, for later steps that start a service anew because of it. */
export class Changes {
  #isAny = false;

  get isAny(): boolean {
    return this.#isAny;
  }

  /** Returns the step's work, which is noted when it has changed something. */
  noting(run: () => Promise<Undo | null>): () => Promise<Undo | null> {
    return async () => {
      const undo = await run();
      if (undo !== null) this.#isAny = true;
      return undo;
    };
  }
}

export interface StepContext {
  output: Output;
  messages: Messages;
  /** Sentence for a failed installation that is taken back. Default: the machine is as before. */
  afterFailure?: string;
}

export interface StepsRequest {
  /** In their order; null stands for a step that this machine does not need. */
  steps: readonly (Step | null)[];
  /** Called once all that was changed is taken back, as to start again what ran before. */
  afterUndo?: () => Promise<void>;
}

/** Thrown when a step failed; what the steps before it changed is as it was. */
export class StepError extends Error {
  override name = "StepError";
}

/** Resolves with the number of steps that changed something. */
export async function runSteps(
  { steps, afterUndo }: StepsRequest,
  { output, messages, afterFailure = messages.install.asBefore }: StepContext,
): Promise<number> {
  const { install: texts } = messages;
  const undos: { name: StepName; undo: Undo }[] = [];
  for (const { name, run } of steps.filter((step) => step !== null)) {
    try {
      const undo = await run();
      output.note(undo === null ? texts.unchanged(texts.steps[name]) : texts.done(texts.steps[name]));
      if (undo !== null) undos.push({ name, undo });
    } catch (cause) {
      if (cause instanceof PartlyDoneError) undos.push({ name, undo: cause.undo });
      const notUndone: string[] = [];
      const takeBack = async (step: StepName, undo: Undo) =>
        undo().catch((error: unknown) => notUndone.push(`${texts.steps[step]}: ${String(error)}`));
      for (const { name: earlier, undo } of undos.toReversed()) await takeBack(earlier, undo);
      if (afterUndo !== undefined) await takeBack(name, afterUndo);
      const rest = notUndone.length === 0 ? afterFailure : texts.notAsBefore(notUndone.join("\n"));
      throw new StepError(`${texts.stepFailed(texts.steps[name], reasonOf(cause))}\n${rest}`, { cause });
    }
  }
  return undos.length;
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
