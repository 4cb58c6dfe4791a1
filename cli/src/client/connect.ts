/** Finds address and secret (environment over what login stored) and makes the clients from them. */

import { createClient, type Client } from "@tijolo/protocol";
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

/** A client, and the address it talks to. */
export interface Connection {
  client: Client;
  url: string;
}

export function connectAccount(connector: Connector): Promise<Connection> {
  return connect(connector, "account", "TIJOLO_KEY", connector.messages.errors.notLoggedIn);
}

export function connectOperator(connector: Connector): Promise<Connection> {
  return connect(connector, "operator", "TIJOLO_OPERATOR_TOKEN", connector.messages.errors.notOperator);
}

async function connect(
  connector: Connector,
  kind: LoginKind,
  variable: string,
  missing: string,
): Promise<Connection> {
  const { url, secret } = await findLogin(connector, kind, variable, missing);
  return { client: createClient({ baseUrl: apiUrlOf(url), token: secret, fetch: connector.fetch }), url };
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
