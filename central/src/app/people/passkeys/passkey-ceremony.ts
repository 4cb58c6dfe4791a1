/** Writes what browsers are asked about passkeys, and checks what they answer. */

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import {
  AppError,
  passkeyOptions,
  type NewCredential,
  type PasskeyOptions,
  type UsedCredential,
} from "@tijolo/protocol";
import type { PasskeyRow } from "../../../store/tables/people/passkey.ts";
import type { PersonRow } from "../../../store/tables/people/person.ts";
import type { PeopleContext } from "../people-context.ts";
import type { RelyingParty } from "./relying-party.ts";

const serviceName = "Tijolo";
/** COSE numbers of EdDSA, ES256 and RS256: every authenticator has one of them. */
const algorithms = [-8, -7, -257];
const timeoutMs = 5 * 60_000;

/** Loads the library with the first passkey: it occupies 28 MB, and many installations use none. */
const loadLibrary = () => import("@simplewebauthn/server");

/** What a challenge is for: an answer must have signed one of the same. */
export interface Ceremony {
  purpose: string;
  party: RelyingParty;
}

export type CheckedPasskey = Pick<
  PasskeyRow,
  "credentialId" | "publicKey" | "counter" | "transports" | "isSynced"
>;

/** Returns the options by which a browser makes a passkey, other than the existing ones. */
export async function newCredentialOptions(
  app: PeopleContext,
  { person, existing }: { person: PersonRow; existing: readonly PasskeyRow[] },
  { purpose, party }: Ceremony,
): Promise<PasskeyOptions> {
  const { generateRegistrationOptions } = await loadLibrary();
  const options = await generateRegistrationOptions({
    rpName: serviceName,
    rpID: party.id,
    userName: person.email,
    userDisplayName: person.name,
    userID: userHandleOf(person.id),
    challenge: app.passkeyChallenges.issue(purpose),
    timeout: timeoutMs,
    attestationType: "none",
    excludeCredentials: existing
      .filter(({ rpId }) => rpId === party.id)
      .map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: algorithms,
  });
  return passkeyOptions.parse(JSON.parse(JSON.stringify(options)));
}

/**
 * Returns the options by which a browser signs in with whichever passkey it has. They name none, and so tell
 * nothing of who has one.
 */
export async function usedCredentialOptions(
  app: PeopleContext,
  { purpose, party }: Ceremony,
): Promise<PasskeyOptions> {
  const { generateAuthenticationOptions } = await loadLibrary();
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: app.passkeyChallenges.issue(purpose),
    timeout: timeoutMs,
    userVerification: "required",
  });
  return passkeyOptions.parse(JSON.parse(JSON.stringify(options)));
}

/** Checks a new credential and uses up its challenge. Throws `invalid_passkey`. */
export async function checkNewCredential(
  app: PeopleContext,
  credential: NewCredential,
  { purpose, party }: Ceremony,
): Promise<CheckedPasskey> {
  const { verifyRegistrationResponse } = await loadLibrary();
  const challenge = new SignedChallenge(app, purpose);
  const response: RegistrationResponseJSON = {
    ...credential,
    response: {
      clientDataJSON: credential.response.clientDataJSON,
      attestationObject: credential.response.attestationObject,
    },
    clientExtensionResults: {},
  };
  const checked = await verified(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge: (signed) => challenge.isExpected(signed),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  );
  if (!checked.verified || !challenge.use()) throw new AppError("invalid_passkey");
  const { credential: made, credentialBackedUp } = checked.registrationInfo;
  return {
    credentialId: made.id,
    publicKey: Buffer.from(made.publicKey).toString("base64url"),
    counter: made.counter,
    transports: credential.response.transports ?? [],
    isSynced: credentialBackedUp,
  };
}

/**
 * Checks a sign-in by this passkey and uses up its challenge. Throws `invalid_passkey`, also when the
 * authenticator's count went back: then a copy of the key is in use.
 */
export async function checkUsedCredential(
  app: PeopleContext,
  { credential, passkey }: { credential: UsedCredential; passkey: PasskeyRow },
  { purpose, party }: Ceremony,
): Promise<{ counter: number; isSynced: boolean }> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const challenge = new SignedChallenge(app, purpose);
  const { clientDataJSON, authenticatorData, signature } = credential.response;
  const response: AuthenticationResponseJSON = {
    ...credential,
    response: { clientDataJSON, authenticatorData, signature },
    clientExtensionResults: {},
  };
  const checked = await verified(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: (signed) => challenge.isExpected(signed),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, "base64url")),
        counter: passkey.counter,
      },
    }),
  );
  if (!checked.verified || !challenge.use()) throw new AppError("invalid_passkey");
  const { newCounter, credentialBackedUp } = checked.authenticationInfo;
  return { counter: newCounter, isSynced: credentialBackedUp };
}

/** True when the authenticator names the passkey's owner, as each that found the passkey by itself does. */
export function isOwner({ response }: UsedCredential, { personId }: PasskeyRow): boolean {
  return response.userHandle === Buffer.from(userHandleOf(personId)).toString("base64url");
}

/** Returns the bytes by which authenticators know the person: an id that says nothing else of them. */
function userHandleOf(personId: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(personId));
}

/** Holds the challenge that the browser says it has signed, once it was found to be one of ours. */
class SignedChallenge {
  readonly #app: PeopleContext;
  readonly #purpose: string;
  #signed: string | undefined;

  constructor(app: PeopleContext, purpose: string) {
    this.#app = app;
    this.#purpose = purpose;
  }

  isExpected(signed: string): boolean {
    if (!this.#app.passkeyChallenges.isValid(this.#purpose, signed)) return false;
    this.#signed = signed;
    return true;
  }

  use(): boolean {
    return this.#signed !== undefined && this.#app.passkeyChallenges.use(this.#signed);
  }
}

/** Runs a check of the library, which throws for whatever is wrong in the answer. */
async function verified<Result>(check: () => Promise<Result>): Promise<Result> {
  try {
    return await check();
  } catch (cause) {
    throw new AppError("invalid_passkey", { cause });
  }
}
