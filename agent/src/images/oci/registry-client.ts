/**
 * Sends requests to registries by the distribution protocol: authenticates where it is challenged, follows
 * redirects, and sends no credentials elsewhere.
 */

import { firstOf, PassingError } from "@tijolo/protocol/kit";
import { request } from "undici";
import { findChallenge } from "./auth-challenge.ts";
import { OciError } from "./oci-error.ts";
import { allOf, discard, failureOf, type RegistryResponse } from "./registry-answer.ts";
import type { FindCredentials } from "./registry-credentials.ts";
import { isAllowed, type RegistryEndpoint, type RegistrySettings } from "./registry-endpoint.ts";
import { authorizationFor } from "./registry-token.ts";
import { tlsFailure } from "./tls-failure.ts";

export interface RegistryClientOptions extends RegistrySettings {
  findCredentials: FindCredentials;
  /** Milliseconds without data after which a connection is given up. Default: 30 s. */
  inactivityMs?: number;
  now: () => Date;
}

/** Request to an endpoint: `/v2/<repository>/<path>`. */
export interface RegistryRequest {
  repository: string;
  /** `manifests/…` or `blobs/…`. */
  path: string;
  headers?: Record<string, string>;
  signal: AbortSignal;
}

const defaultInactivityMs = 30_000;
const maxRedirects = 5;
const maxRememberedAuthorizations = 256;

export class RegistryClient {
  readonly #options: RegistryClientOptions;
  /** Authorizations by endpoint and repository; the oldest are dropped first. */
  readonly #authorizations = new Map<string, string>();

  constructor(options: RegistryClientOptions) {
    this.#options = options;
  }

  /**
   * Makes one attempt; resolves only with a success (2xx) or 416. Throws {@link PassingError} where another
   * attempt may succeed, {@link OciError} where not, or the signal's reason.
   */
  async get(endpoint: RegistryEndpoint, asked: RegistryRequest): Promise<RegistryResponse> {
    const repository = endpoint.repositoryPrefix + asked.repository;
    const key = `${endpoint.origin} ${repository}`;
    const url = new URL(`/v2/${repository}/${asked.path}`, endpoint.origin);
    let response = await this.#follow(url, asked, this.#authorizations.get(key));
    if (response.statusCode === 401) {
      const challenge = findChallenge(allOf(response.headers["www-authenticate"]));
      discard(response);
      if (challenge === undefined)
        throw new OciError("refused", `${endpoint.origin} asks for an authentication that is not known here`);
      const credentials = this.#options.findCredentials(endpoint.credentialHost, repository);
      const authorization = await authorizationFor(challenge, {
        ...this.#options,
        credentials,
        repository,
        endpoint,
        signal: asked.signal,
      });
      this.#remember(key, authorization);
      response = await this.#follow(url, asked, authorization);
    }
    const { statusCode } = response;
    if (statusCode === 416 || (statusCode >= 200 && statusCode < 300)) return response;
    if (statusCode === 401) this.#authorizations.delete(key);
    throw await failureOf(
      response,
      `${endpoint.origin} answered ${statusCode} for ${repository}/${asked.path}`,
      this.#options.now(),
    );
  }

  async #follow(
    first: URL,
    asked: RegistryRequest,
    authorization: string | undefined,
  ): Promise<RegistryResponse> {
    let url = first;
    for (let redirects = 0; ; redirects++) {
      const isFirstHost = url.origin === first.origin;
      const response = await this.#send(url, asked, isFirstHost ? authorization : undefined);
      const location = firstOf(response.headers.location);
      if (![301, 302, 303, 307, 308].includes(response.statusCode) || location === undefined) return response;
      discard(response);
      if (redirects === maxRedirects)
        throw new OciError("refused", `${first.origin} redirects more than ${maxRedirects} times`);
      if (!URL.canParse(location, url.href))
        throw new OciError("refused", `${url.origin} redirects to a malformed address`);
      const next = new URL(location, url);
      const isDowngrade = url.protocol === "https:" && next.protocol !== "https:";
      if (isDowngrade || !isAllowed(next, this.#options))
        throw new OciError("refused", `${url.origin} redirects to ${next.origin}, which has no TLS`);
      url = next;
    }
  }

  async #send(
    url: URL,
    { headers, signal }: RegistryRequest,
    authorization: string | undefined,
  ): Promise<RegistryResponse> {
    const { inactivityMs = defaultInactivityMs } = this.#options;
    try {
      return await request(url, {
        headers: {
          "accept-encoding": "identity",
          ...headers,
          ...(authorization === undefined ? {} : { authorization }),
        },
        signal,
        headersTimeout: inactivityMs,
        bodyTimeout: inactivityMs,
      });
    } catch (cause) {
      signal.throwIfAborted();
      throw tlsFailure(url.origin, cause) ?? new PassingError(`no answer from ${url.origin}`, { cause });
    }
  }

  /** Forgets all authorizations, because credentials may have changed. */
  forgetAuthorizations(): void {
    this.#authorizations.clear();
  }

  #remember(key: string, authorization: string): void {
    this.#authorizations.delete(key);
    this.#authorizations.set(key, authorization);
    const [oldest] = this.#authorizations.keys();
    if (this.#authorizations.size > maxRememberedAuthorizations && oldest !== undefined)
      this.#authorizations.delete(oldest);
  }
}
