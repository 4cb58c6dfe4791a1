/** Checks names of variables before they are sent to the server. */

import { isReservedVariable, variableName } from "@tijolo/protocol";
import { UsageError } from "../command-failure.ts";
import type { Messages } from "../messages.ts";

/** Throws UsageError for a name that no project can have. */
export function checkVariableName(name: string, { errors }: Messages): void {
  if (isReservedVariable(name)) throw new UsageError(errors.reservedVariable(name));
  if (!variableName.safeParse(name).success) throw new UsageError(errors.badVariableName(name));
}
