/** Defines the context of rules that find out who calls. */

import type { LimitsContext } from "../limits/limits-context.ts";
import type { KeyUses } from "./key-uses.ts";
import type { TrustedProxies } from "./trusted-proxies.ts";

export interface IdentityContext extends LimitsContext {
  /** Finds the address that a request comes from. */
  proxies: TrustedProxies;
  keyUses: KeyUses;
}
