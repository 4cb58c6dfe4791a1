/**
 * Does what only the panel's session may do: signs in, does it, and signs out again. The session is stored
 * nowhere.
 */

import { createClient, type Client } from "@tijolo/protocol";
import { askServer } from "../ask/ask-login.ts";
import type { CommandContext } from "../command-context.ts";
import { apiUrlOf } from "../client/server-url.ts";
import { askCode, askEmail, askPassword, type CredentialChoices } from "./ask-credentials.ts";
import { cookieFetch } from "./cookie-fetch.ts";

const signOutMs = 5_000;

export interface PanelSession {
  client: Client;
  url: string;
  /** Password as it was typed; some operations ask for it once more. */
  password: string;
}

export async function withPanelSession<Result>(
  context: CommandContext,
  choices: CredentialChoices & { url?: string },
  act: (session: PanelSession) => Promise<Result>,
): Promise<Result> {
  const { signal } = context;
  const url = await askServer(context, choices.url);
  const email = await askEmail(context, choices);
  const password = await askPassword(context, choices);
  const client = createPanelClient(context, url);
  const { isTwoFactorRequired } = await client.signIn({ body: { email, password } }, { signal });
  if (isTwoFactorRequired) {
    const code = await askCode(context, choices);
    await client.signInTwoFactor(
      { body: /^\d{6}$/.test(code) ? { code } : { recoveryCode: code } },
      { signal },
    );
  }
  return await signingOut(context, client, () => act({ client, url, password }));
}

/** Creates a client that keeps the session's cookie for as long as it lives. */
export function createPanelClient(context: CommandContext, url: string): Client {
  return createClient({ baseUrl: apiUrlOf(url), fetch: cookieFetch(context.fetch, url) });
}

/** Signs out in any case after `act`, also when the person interrupts. */
export async function signingOut<Result>(
  context: CommandContext,
  client: Client,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } finally {
    await client
      .signOut({}, { signal: AbortSignal.timeout(signOutMs) })
      .catch(() => context.output.note(context.messages.account.notSignedOut));
  }
}
