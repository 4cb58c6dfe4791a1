/** Defines the refusals of what an operator decides about an orphan. */

import { AppError, type Words } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";

export function refusal(detail: Words): AppError {
  return new AppError("invalid_request", { detail });
}

/** Returns the refusal of a project that no host which answers holds. */
export function heldNowhere(): AppError {
  return new AppError("not_found", {
    detail: refusalDetails.noHostHasProject,
  });
}
