/**
 * Signs people in by a passkey, which counts as both factors: the authenticator is one, and it has asked for
 * the person's fingerprint, face or PIN.
 */

import type { PasskeyOptions, UsedCredential } from "@tijolo/protocol";
import { networkOf } from "../../identity/client-network.ts";
import type { PeopleContext } from "../people-context.ts";
import type { Client } from "../session.ts";
import { completeSignIn, type Entered } from "../sign-in.ts";
import { usedCredentialOptions, type Ceremony } from "./passkey-ceremony.ts";
import { withUsedPasskey } from "./passkey-use.ts";
import { relyingPartyAt, type RelyingParty } from "./relying-party.ts";

/** Begins a sign-in. Throws `passkeys_unavailable`. */
export async function beginPasskeySignIn(
  app: PeopleContext,
  host: string | undefined,
): Promise<PasskeyOptions> {
  return usedCredentialOptions(app, ceremonyAt(relyingPartyAt(app, host)));
}

/**
 * Completes it. Throws `passkeys_unavailable`, `too_many_attempts`, or `invalid_passkey`, the same for an
 * unknown passkey and a wrong answer.
 */
export async function signInPasskey(
  app: PeopleContext,
  { credential, host }: { credential: UsedCredential; host: string | undefined },
  client: Client,
): Promise<Entered> {
  const ceremony = ceremonyAt(relyingPartyAt(app, host));
  const counts = [{ key: `sign-in ${networkOf(client.address)}`, limit: app.limits.wrongAttempts }];
  const entered = await withUsedPasskey(
    app,
    { credential, ceremony, personId: null },
    counts,
    (tx, passkey) => completeSignIn(app, tx, { personId: passkey.personId, client, passkey: passkey.name }),
  );
  return entered();
}

function ceremonyAt(party: RelyingParty): Ceremony {
  return { purpose: `sign-in ${party.id} ${party.origin}`, party };
}
