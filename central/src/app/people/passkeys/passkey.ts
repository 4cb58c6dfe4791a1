/** Manages a person's passkeys: adding, listing, renaming and removing them. */

import { AppError, type NewCredential, type Passkey, type PasskeyOptions } from "@tijolo/protocol";
import { transact, type Transaction } from "../../../store/store.ts";
import {
  countPasskeys,
  deletePasskey,
  findPasskey,
  findPasskeyByCredential,
  insertPasskey,
  listPasskeys as selectPasskeys,
  renamePasskey as updateName,
  type PasskeyRow,
} from "../../../store/tables/people/passkey.ts";
import { findPerson } from "../../../store/tables/people/person.ts";
import { forgetSessionPasskeys } from "../../../store/tables/people/session.ts";
import { recordActivity } from "../../accounts/activity.ts";
import { actorOfPerson } from "../../identity/caller.ts";
import { newId } from "../../new-id.ts";
import type { PeopleContext } from "../people-context.ts";
import { assertSamePassword, verifyPassword } from "../person.ts";
import type { SessionCaller } from "../session.ts";
import type { PanelRequest } from "../two-factor.ts";
import { checkNewCredential, newCredentialOptions, type Ceremony } from "./passkey-ceremony.ts";
import { relyingPartyAt, type RelyingParty } from "./relying-party.ts";

/** A request of the panel, and the host that it called. */
export interface PasskeyRequest extends PanelRequest {
  host: string | undefined;
}

const maxPasskeys = 20;

/**
 * Prepares a new passkey for a person who gives the password again. Throws `passkeys_unavailable`,
 * `wrong_password` or `passkey_limit_reached`.
 */
export async function beginPasskey(
  app: PeopleContext,
  { caller, host }: PasskeyRequest,
  password: string,
): Promise<PasskeyOptions> {
  const party = relyingPartyAt(app, host);
  await verifyPassword(app, caller.person.id, password);
  const person = await findPerson(app.db, caller.person.id);
  if (person === undefined) throw new AppError("not_authenticated");
  const existing = await selectPasskeys(app.db, person.id);
  assertRoom(existing.length);
  return newCredentialOptions(app, { person, existing }, ceremonyOf(caller, party));
}

/**
 * Stores the passkey that the browser made. Throws `passkeys_unavailable`, `invalid_passkey` or
 * `passkey_limit_reached`.
 */
export async function addPasskey(
  app: PeopleContext,
  { caller, address, host }: PasskeyRequest,
  { name, credential }: { name: string; credential: NewCredential },
): Promise<Passkey> {
  const party = relyingPartyAt(app, host);
  const checked = await checkNewCredential(app, credential, ceremonyOf(caller, party));
  const row: PasskeyRow = {
    ...checked,
    id: newId(app),
    personId: caller.person.id,
    rpId: party.id,
    name,
    createdAt: app.clock.now(),
    lastUsedAt: null,
  };
  await transact(app.db, async (tx) => {
    assertRoom(await countPasskeys(tx, row.personId));
    // An id of another's credential proves nothing: authenticators choose their ids.
    if ((await findPasskeyByCredential(tx, row.credentialId)) !== undefined)
      throw new AppError("invalid_passkey");
    await insertPasskey(tx, row);
    await record(app, tx, { caller, address }, { action: "account.passkey_add", after: { name } });
  });
  return viewPasskey(row);
}

export async function listPasskeys(app: PeopleContext, { person }: SessionCaller): Promise<Passkey[]> {
  return (await selectPasskeys(app.db, person.id)).map(viewPasskey);
}

/** Renames a passkey. Throws `not_found`. */
export async function renamePasskey(
  app: PeopleContext,
  request: PanelRequest,
  { passkeyId, name }: { passkeyId: string; name: string },
): Promise<Passkey> {
  return transact(app.db, async (tx) => {
    const passkey = await ownPasskey(tx, request.caller, passkeyId);
    await updateName(tx, passkey.id, name);
    const fields = { before: { name: passkey.name }, after: { name } };
    await record(app, tx, request, { action: "account.passkey_rename", ...fields });
    return viewPasskey({ ...passkey, name });
  });
}

/** Removes a passkey for a person who gives the password again. Throws `not_found` or `wrong_password`. */
export async function removePasskey(
  app: PeopleContext,
  request: PanelRequest,
  { passkeyId, password }: { passkeyId: string; password: string },
): Promise<void> {
  const { person } = request.caller;
  if ((await findPasskey(app.db, person.id, passkeyId)) === undefined) throw new AppError("not_found");
  const hash = await verifyPassword(app, person.id, password);
  await transact(app.db, async (tx) => {
    await assertSamePassword(tx, person.id, hash);
    const { id, name } = await ownPasskey(tx, request.caller, passkeyId);
    await deletePasskey(tx, id);
    // What it opened or confirmed stays open, and has no second factor by it any more.
    await forgetSessionPasskeys(tx, person.id);
    tx.wake(`account:${request.caller.account.id}`);
    await record(app, tx, request, { action: "account.passkey_remove", before: { name } });
  });
}

/**
 * Returns what the challenge for a new passkey is for. It names the session that gave the password, so that
 * the end of the session, as by a changed password, ends what it has begun.
 */
function ceremonyOf({ session }: SessionCaller, party: RelyingParty): Ceremony {
  return { purpose: `add ${session.id} ${party.id} ${party.origin}`, party };
}

function assertRoom(count: number): void {
  if (count >= maxPasskeys) throw new AppError("passkey_limit_reached", { extra: { limit: maxPasskeys } });
}

async function ownPasskey(
  tx: Transaction,
  { person }: SessionCaller,
  passkeyId: string,
): Promise<PasskeyRow> {
  const passkey = await findPasskey(tx, person.id, passkeyId);
  if (passkey === undefined) throw new AppError("not_found");
  return passkey;
}

function record(
  app: PeopleContext,
  tx: Transaction,
  { caller, address }: PanelRequest,
  entry: Pick<Parameters<typeof recordActivity>[2], "action" | "before" | "after">,
): Promise<void> {
  const actor = actorOfPerson(caller.person, address);
  return recordActivity(app, tx, { accountId: caller.account.id, actor, ...entry });
}

function viewPasskey({ id, name, isSynced, createdAt, lastUsedAt }: PasskeyRow): Passkey {
  return {
    id,
    name,
    isSynced,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
  };
}
