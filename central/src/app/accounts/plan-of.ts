import type { Plan, PlanName } from "@tijolo/protocol";
import type { AccountsContext } from "./accounts-context.ts";

/** Returns the plan by name, as the operator's table has it. */
export function planOf({ plans }: Pick<AccountsContext, "plans">, name: PlanName): Plan {
  const plan = plans.get(name);
  if (plan === undefined) throw new Error(`no plan ${name}`);
  return plan;
}
