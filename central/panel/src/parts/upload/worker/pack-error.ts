import type { PackProblem } from "./messages.ts";

/** Thrown when a folder or an archive cannot be sent as it is. */
export class PackError extends Error {
  override name = "PackError";
  readonly problem: PackProblem;

  constructor(problem: PackProblem, options?: ErrorOptions) {
    super(problem.code, options);
    this.problem = problem;
  }
}
