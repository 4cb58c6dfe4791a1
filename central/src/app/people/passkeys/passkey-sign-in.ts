/**
 * Signs people in by a passkey, which counts as both factors: the authenticator is one, and it has asked for
 * the person's fingerprint, face or PIN.
 */

import { AppError, type PasskeyOptions, type UsedCredential } from "@tijolo/protocol";
import { transact } from "../../../store/store.ts";
import {
  findPasskey,
  findPasskeyByCredential,
  notePasskeyUse,
} from "../../../store/tables/people/passkey.ts";
import { networkOf } from "../../identity/client-network.ts";
import type { PeopleContext } from "../people-context.ts";
import type { Client } from "../session.ts";
import { completeSignIn, type Entered } from "../sign-in.ts";
import { checkUsedCredential, isOwner, usedCredentialOptions, type Ceremony } from "./passkey-ceremony.ts";
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
  const party = relyingPartyAt(app, host);
  const counts = [{ key: `sign-in ${networkOf(client.address)}`, limit: app.limits.wrongAttempts }];
  let entered: (() => Entered) | undefined;
  let refusal: AppError | undefined;
  await app.attempts.guess(counts, async () => {
    try {
      entered = await enter(app, { credential, party, client });
    } catch (cause) {
      if (!(cause instanceof AppError) || cause.code !== "invalid_passkey") throw cause;
      refusal = cause;
    }
    return entered !== undefined;
  });
  if (entered === undefined) throw refusal ?? new AppError("invalid_passkey");
  return entered();
}

async function enter(
  app: PeopleContext,
  { credential, party, client }: { credential: UsedCredential; party: RelyingParty; client: Client },
): Promise<() => Entered> {
  const passkey = await findPasskeyByCredential(app.db, credential.id);
  if (passkey === undefined || passkey.rpId !== party.id || !isOwner(credential, passkey))
    throw new AppError("invalid_passkey");
  const use = await checkUsedCredential(app, { credential, passkey }, ceremonyAt(party));
  return transact(app.db, async (tx) => {
    const current = await findPasskey(tx, passkey.personId, passkey.id);
    // It may have been removed meanwhile, or a copy of it may have been used.
    if (current === undefined || current.counter !== passkey.counter) throw new AppError("invalid_passkey");
    await notePasskeyUse(tx, passkey.id, { ...use, usedAt: app.clock.now() });
    return completeSignIn(app, tx, { personId: passkey.personId, client, passkey: current.name });
  });
}

function ceremonyAt(party: RelyingParty): Ceremony {
  return { purpose: `sign-in ${party.id} ${party.origin}`, party };
}
