/** Answers a registry's challenge: with the password itself (Basic), or with a server's token (Bearer). */

import { PassingError } from "@tijolo/protocol/kit";
import { request } from "undici";
import { z } from "zod";
import type { AuthChallenge } from "./auth-challenge.ts";
import { OciError } from "./oci-error.ts";
import { failureOf, readBody, type RegistryResponse } from "./registry-answer.ts";
import type { RegistryCredentials } from "./registry-credentials.ts";
import { isAllowed, type RegistryEndpoint, type RegistrySettings } from "./registry-endpoint.ts";
import { tlsFailure } from "./tls-failure.ts";

export interface AuthorizationOptions extends Pick<RegistrySettings, "insecureHosts"> {
  /** Credentials; undefined: an anonymous token is requested. */
  credentials: RegistryCredentials | undefined;
  endpoint: RegistryEndpoint;
  repository: string;
  signal: AbortSignal;
  inactivityMs?: number;
  now: () => Date;
}

const maxAnswerBytes = 1024 * 1024;
const timeoutMs = 30_000;
const clientName = "tijolo";
const tokenAnswer = z.object({ token: z.string().optional(), access_token: z.string().optional() });

/**
 * Returns the value of the `Authorization` header. Throws {@link OciError}, {@link PassingError}, or the
 * signal's reason.
 */
export async function authorizationFor(
  challenge: AuthChallenge,
  options: AuthorizationOptions,
): Promise<string> {
  const { credentials, endpoint } = options;
  if (challenge.scheme === "bearer") return `Bearer ${await fetchToken(challenge, options)}`;
  if (credentials === undefined)
    throw new OciError(
      "refused",
      `${endpoint.origin} asks for a password, and there is none for ${endpoint.credentialHost}`,
    );
  if ("identityToken" in credentials)
    throw new OciError("refused", `${endpoint.origin} asks for a password, and there is only a token`);
  return basic(credentials);
}

async function fetchToken(
  challenge: AuthChallenge & { scheme: "bearer" },
  options: AuthorizationOptions,
): Promise<string> {
  const { credentials, endpoint, repository } = options;
  const realm = URL.canParse(challenge.realm) ? new URL(challenge.realm) : undefined;
  if (realm === undefined) throw new OciError("refused", `${endpoint.origin} names a malformed token server`);
  const isDowngrade = endpoint.origin.startsWith("https:") && realm.protocol !== "https:";
  if (isDowngrade || !isAllowed(realm, options))
    throw new OciError("refused", `the token server ${realm.origin} of ${endpoint.origin} has no TLS`);

  const scope = challenge.scope ?? `repository:${repository}:pull`;
  const fields: [string, string][] = [
    ...(challenge.service === null ? [] : [["service", challenge.service] as [string, string]]),
    ["scope", scope],
  ];
  const response =
    credentials !== undefined && "identityToken" in credentials
      ? await exchange(
          realm,
          [...fields, ["grant_type", "refresh_token"], ["refresh_token", credentials.identityToken]],
          options,
        )
      : await ask(realm, fields, credentials, options);
  const sentence = `the token server ${realm.origin} answered ${response.statusCode}`;
  if (response.statusCode !== 200) throw await failureOf(response, sentence, options.now());
  const parsed = tokenAnswer.safeParse(parseJson(await readBody(response, maxAnswerBytes)));
  const token = parsed.data?.token ?? parsed.data?.access_token;
  if (token === undefined || !/^[!-~]+$/.test(token))
    throw new OciError("refused", `the token server ${realm.origin} gave no token`);
  return token;
}

/** Requests a token as docker-registry and Docker Hub expect: GET, with the password as Basic. */
function ask(
  realm: URL,
  fields: [string, string][],
  credentials: { username: string; password: string } | undefined,
  options: AuthorizationOptions,
): Promise<RegistryResponse> {
  const url = new URL(realm);
  for (const [name, value] of fields) url.searchParams.append(name, value);
  return send(
    url,
    { method: "GET", headers: credentials === undefined ? {} : { authorization: basic(credentials) } },
    options,
  );
}

/** Requests a token the OAuth 2 way, which refresh tokens need: POST of a form. */
function exchange(
  realm: URL,
  fields: [string, string][],
  options: AuthorizationOptions,
): Promise<RegistryResponse> {
  const body = new URLSearchParams([...fields, ["client_id", clientName]]).toString();
  return send(
    realm,
    { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, body },
    options,
  );
}

async function send(
  url: URL,
  message: { method: "GET" | "POST"; headers: Record<string, string>; body?: string },
  { signal, inactivityMs = timeoutMs }: AuthorizationOptions,
): Promise<RegistryResponse> {
  try {
    return await request(url, {
      ...message,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      headersTimeout: inactivityMs,
      bodyTimeout: inactivityMs,
    });
  } catch (cause) {
    signal.throwIfAborted();
    throw (
      tlsFailure(url.origin, cause) ??
      new PassingError(`no answer from the token server ${url.origin}`, { cause })
    );
  }
}

function basic({ username, password }: { username: string; password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}
