/** Defines the context of rules that seal and open secrets. */

import type { BaseContext } from "../base-context.ts";
import type { MasterKeyRotation } from "./master-key-rotation.ts";
import type { Vault } from "./vault.ts";

export interface SecretsContext extends BaseContext {
  /** Seals the data that only central may read. */
  vault: Vault;
  masterKeys: MasterKeyRotation;
}
