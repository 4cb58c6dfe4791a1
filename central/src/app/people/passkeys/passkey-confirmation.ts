/** Confirms who sits at a panel session by a passkey, which also gives the session its second factor. */

import type { PasskeyOptions, UsedCredential } from "@tijolo/protocol";
import { saveSessionPasskey } from "../../../store/tables/people/session.ts";
import { saveConfirmation } from "../confirmation.ts";
import type { PeopleContext } from "../people-context.ts";
import type { SessionCaller } from "../session.ts";
import { usedCredentialOptions, type Ceremony } from "./passkey-ceremony.ts";
import { withUsedPasskey } from "./passkey-use.ts";
import { relyingPartyAt, type RelyingParty } from "./relying-party.ts";

/** Begins it. Throws `passkeys_unavailable`. */
export async function beginPasskeyConfirmation(
  app: PeopleContext,
  caller: SessionCaller,
  host: string | undefined,
): Promise<PasskeyOptions> {
  return usedCredentialOptions(app, ceremonyOf(caller, relyingPartyAt(app, host)));
}

/** Completes it. Throws `passkeys_unavailable`, `invalid_passkey` or `too_many_attempts`. */
export async function confirmSessionByPasskey(
  app: PeopleContext,
  { caller, host }: { caller: SessionCaller; host: string | undefined },
  credential: UsedCredential,
): Promise<void> {
  const { person, session } = caller;
  const ceremony = ceremonyOf(caller, relyingPartyAt(app, host));
  const counts = [{ key: `confirmation passkey ${person.id}`, limit: app.limits.wrongAttempts }];
  await withUsedPasskey(app, { credential, ceremony, personId: person.id }, counts, async (tx) => {
    await saveSessionPasskey(tx, session.id);
    await saveConfirmation(app, tx, session);
    tx.wake(`account:${caller.account.id}`);
  });
}

/** The challenge names the session, so that its end ends what it has begun. */
function ceremonyOf({ session }: SessionCaller, party: RelyingParty): Ceremony {
  return { purpose: `confirm ${session.id} ${party.id} ${party.origin}`, party };
}
