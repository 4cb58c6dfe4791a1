/** Checks that system packages are among those that this Tijolo allows. */

import { allowedPackages, AppError, type ErrorCode } from "@tijolo/protocol";
import { uploadDetails } from "@tijolo/protocol/texts/central";
import type { BaseContext } from "../base-context.ts";

/** Throws `code`, which names the field, for a package that is not in the list. */
export function assertPackagesAllowed(
  { morePackages }: Pick<BaseContext, "morePackages">,
  names: readonly string[] | null | undefined,
  code: ErrorCode,
): void {
  const allowed = allowedPackages(morePackages);
  if ((names ?? []).every((name) => allowed.includes(name))) return;
  throw new AppError(code, {
    extra: { field: "systemPackages" },
    detail: uploadDetails.packageNotAllowed(allowed.join(", ")),
  });
}
