/** Acts as an operator at the API: hosts, accounts and keys for tests. */

import {
  createClient,
  type Client,
  type HostSummary,
  type KeyLevel,
  type PlanName,
  type Scope,
} from "@tijolo/protocol";

/** An account with one key. */
export interface TestAccount {
  id: string;
  key: string;
  client: Client;
}

export interface NewAccount {
  plan?: PlanName;
  level?: KeyLevel;
  scopes?: Scope[];
}

export class Operator {
  readonly centralUrl: string;
  readonly token: string;

  constructor(centralUrl: string, token: string) {
    this.centralUrl = centralUrl;
    this.token = token;
  }

  async hosts(): Promise<HostSummary[]> {
    return (await this.client().listHosts()).hosts;
  }

  async createJoinToken(): Promise<string> {
    return (await this.client().createJoinToken({ body: {} })).token;
  }

  async createAccount({
    plan = "Empresas",
    level = "write",
    scopes = ["projects:settings"],
  }: NewAccount = {}): Promise<TestAccount> {
    const { id } = (await this.client().createAccount({ body: { name: "Ana", plan } })).account;
    const key = await this.createKey(id, level, scopes);
    return { id, key, client: this.client(key) };
  }

  async createKey(accountId: string, level: KeyLevel, scopes: Scope[] = []): Promise<string> {
    const body = { name: "test", level, scopes };
    return (await this.client().createAccountKey({ accountId, body })).secret;
  }

  /** Returns a client that calls with this key, or with the operator's own token. */
  client(token = this.token): Client {
    return createClient({ baseUrl: `${this.centralUrl}/api`, token, fetch });
  }
}
