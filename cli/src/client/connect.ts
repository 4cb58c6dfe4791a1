/** Finds address and secret (environment over what login kept) and makes the clients from them. */

import { createClient, type Client } from "@tijolo/protocol";
import { createAdminClient, type AdminClient } from "./admin-client.ts";
import { CommandFailure } from "../command-failure.ts";
import type { Configuration, Login, LoginKind } from "../configuration.ts";
import type { Messages } from "../messages.ts";
import { apiUrlOf, parseServerUrl } from "./server-url.ts";

const notLoggedIn = { code: "not_logged_in" };

export interface Connector {
  configuration: Configuration;
  environment: Readonly<Record<string, string | undefined>>;
  messages: Messages;
  fetch: typeof globalThis.fetch;
}

export async function connectAccount(connector: Connector): Promise<{ client: Client; url: string }> {
  const { url, secret } = await findLogin(
    connector,
    "account",
    "TIJOLO_KEY",
    connector.messages.errors.notLoggedIn,
  );
  return { client: createClient({ baseUrl: apiUrlOf(url), token: secret, fetch: connector.fetch }), url };
}

export async function connectOperator(
  connector: Connector,
): Promise<{ admin: AdminClient; client: Client; url: string }> {
  const { url, secret } = await findLogin(
    connector,
    "operator",
    "TIJOLO_OPERATOR_TOKEN",
    connector.messages.errors.notOperator,
  );
  const { fetch } = connector;
  return {
    admin: createAdminClient({ serverUrl: url, token: secret, fetch }),
    client: createClient({ baseUrl: apiUrlOf(url), token: secret, fetch }),
    url,
  };
}

async function findLogin(
  connector: Connector,
  kind: LoginKind,
  variable: string,
  missing: string,
): Promise<Login> {
  const { environment, messages } = connector;
  const kept = await connector.configuration.find(kind);
  const given = environment["TIJOLO_URL"] || undefined;
  const url = given === undefined ? kept?.url : parseServerUrl(given);
  if (url === null) throw new CommandFailure(messages.errors.badUrl(given ?? ""));
  const secret = environment[variable] || undefined;
  if (url === undefined || (secret === undefined && kept === undefined))
    throw new CommandFailure(missing, notLoggedIn);
  if (secret !== undefined) return { url, secret };
  if (kept === undefined || kept.url !== url)
    throw new CommandFailure(messages.errors.otherServer(url), notLoggedIn);
  return kept;
}
