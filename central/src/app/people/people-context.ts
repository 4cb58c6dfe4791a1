/** Defines the context of rules about people: their passwords, sessions, keys and mail. */

import type { AccountsContext } from "../accounts/accounts-context.ts";
import type { PanelSettings } from "./auth-cookie.ts";
import type { AuthenticatorVault } from "./authenticator-vault.ts";
import type { Mail } from "./mail.ts";
import type { PasskeyChallenges } from "./passkeys/passkey-challenges.ts";
import type { PasswordHashing } from "./password-hashing.ts";

export interface PeopleContext extends AccountsContext {
  /** Seals the secrets of authenticators. */
  authenticators: AuthenticatorVault;
  passkeyChallenges: PasskeyChallenges;
  passwords: PasswordHashing;
  mail: Mail;
  panel: PanelSettings;
}
