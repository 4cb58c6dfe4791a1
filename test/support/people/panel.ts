/** Simulates a person at the panel: what a browser would keep and send, cookies included. */

import assert from "node:assert/strict";
import { createClient, type Client, type PlanName } from "@tijolo/protocol";
import { apiRequest, type ApiAnswer, type ApiRequest } from "../requests/api-request.ts";
import type { TestCluster } from "../cluster/test-cluster.ts";

export interface NewPerson {
  name?: string;
  email?: string;
  password?: string;
  plan?: PlanName;
}

let people = 0;

export class PanelSession {
  readonly centralUrl: string;
  /** Headers that the panel's own pages send; a program that is no browser sends none. */
  readonly headers: Record<string, string>;
  readonly cookies = new Map<string, string>();
  /** Client with the session's cookie, as it is at the time of each call. */
  readonly client: Client;
  accountId = "";
  email = "";
  password = "";

  constructor(centralUrl: string, headers: Record<string, string> = { "sec-fetch-site": "same-origin" }) {
    this.centralUrl = centralUrl;
    this.headers = headers;
    this.client = createClient({
      baseUrl: `${centralUrl}/api`,
      fetch: async (url, init) => {
        const sent = { ...(init?.headers as Record<string, string> | undefined), ...this.#ownHeaders() };
        const response = await fetch(url, { ...init, headers: sent });
        this.#keepCookies(response.headers);
        return response;
      },
    });
  }

  /** Signs up a new person with an account of its own, by an invitation of the operator's. */
  static async signUp(
    cluster: TestCluster,
    { name = "Ana", plan = "Stack", ...person }: NewPerson = {},
  ): Promise<PanelSession> {
    const session = new PanelSession(cluster.central.url);
    session.email = person.email ?? `ana-${++people}@example.com`;
    session.password = person.password ?? "uma senha bem comprida";
    const { token: invitation } = (await cluster.operator.client().createInvitation({ body: { plan } }))
      .invitation;
    const body = { name, email: session.email, password: session.password, invitation };
    const answer = await session.client.signUp({ body });
    assert.ok(!answer.isConfirmationRequired, "an invitation needs no confirmation");
    session.accountId = answer.account.id;
    return session;
  }

  /** Opens the same person's session in another browser, signed in unless a second factor is required. */
  async elsewhere(headers?: Record<string, string>): Promise<PanelSession> {
    const other = new PanelSession(this.centralUrl, { ...this.headers, ...headers });
    Object.assign(other, { accountId: this.accountId, email: this.email, password: this.password });
    await other.client.signIn({ body: { email: this.email, password: this.password } });
    return other;
  }

  /** Sends one request, unchecked, with the cookies. */
  async call(
    method: string,
    path: string,
    options: Partial<ApiRequest> & { json?: unknown } = {},
  ): Promise<ApiAnswer> {
    const { json, headers, ...request } = options;
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const type: Record<string, string> = json === undefined ? {} : { "content-type": "application/json" };
    const sent = { ...this.#ownHeaders(), ...type, ...headers };
    const answer = await apiRequest(this.centralUrl, {
      method,
      path: `/api${path}`,
      ...body,
      ...request,
      headers: sent,
    });
    this.#keepCookies(answer.headers);
    return answer;
  }

  #ownHeaders(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return { ...this.headers, ...(cookie === "" ? {} : { cookie }) };
  }

  #keepCookies(headers: Headers): void {
    for (const text of headers.getSetCookie()) {
      const [pair = "", ...attributes] = text.split("; ");
      const [name = "", value = ""] = pair.split("=");
      if (attributes.includes("Max-Age=0")) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}
