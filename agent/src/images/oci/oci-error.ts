/** Defines what can be wrong with an image or its registry, in kinds that differ by what would fix them. */

import { MismatchError, PassingError } from "@tijolo/protocol/kit";

/**
 * `reference`: it is not written as a reference is. `refused`: the registry says no (unknown image, wrong
 * credentials) and would say it again. `unreachable`: no usable answer came, within the attempts and
 * deadlines. `untrusted`: it does not show by TLS who it is. `mismatch`: the bytes are not the ones that were
 * named by hash. `unsupported`: a format, or a way to keep credentials, that is not taken. `unsafe`: a layer
 * that writes outside, names devices, or is larger than the limits.
 */
export type OciErrorKind =
  | "reference"
  | "refused"
  | "unreachable"
  | "untrusted"
  | "mismatch"
  | "unsupported"
  | "unsafe";

export class OciError extends Error {
  override name = "OciError";
  readonly kind: OciErrorKind;

  constructor(kind: OciErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.kind = kind;
  }
}

/** Returns the error of used-up attempts as an {@link OciError}; any other error is returned as it is. */
export function toOciError(error: unknown): unknown {
  if (error instanceof PassingError) return new OciError("unreachable", error.message, error.cause);
  if (error instanceof MismatchError) return new OciError("mismatch", error.message);
  return error;
}
