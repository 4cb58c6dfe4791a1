/** Defines the context of rules about notices and where they go. */

import type { HostsContext } from "../hosts/hosts-context.ts";
import type { Pace } from "../limits/pace.ts";
import type { PeopleContext } from "../people/people-context.ts";
import type { SecretsContext } from "../secrets/secrets-context.ts";
import type { LimitChecks } from "./limit-checks.ts";

export interface NoticesContext extends HostsContext, PeopleContext, SecretsContext {
  limitChecks: LimitChecks;
  /** Spaces the test notices of an account. */
  testNoticePace: Pace;
  /** True when webhooks may go to private networks, as at home. */
  mayReachPrivate: boolean;
}

/** Parts of the context that making a notice needs. */
export type NotingContext = Pick<NoticesContext, "clock" | "random" | "mail">;
