/** Defines the context of rules about accounts. */

import type { IdentityContext } from "../identity/identity-context.ts";

export interface AccountsContext extends IdentityContext {
  /** How long the projects of a suspended account run on, unless the operator says otherwise. */
  suspensionGraceMs: number;
}
