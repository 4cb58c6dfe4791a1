/** An operator at the admin API: hosts, accounts and keys for tests. */

import {
  createClient,
  type AccountSummary,
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

  async call(procedure: string, input?: unknown): Promise<unknown> {
    const isQuery = /^(?:list|find)/.test(procedure);
    const query = isQuery && input !== undefined ? `?input=${encodeURIComponent(JSON.stringify(input))}` : "";
    const response = await fetch(`${this.centralUrl}/admin/${procedure}${query}`, {
      method: isQuery ? "GET" : "POST",
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
      ...(isQuery ? {} : { body: JSON.stringify(input ?? null) }),
    });
    const answer = (await response.json()) as { result?: { data: unknown }; error?: unknown };
    if (answer.result === undefined) throw new Error(`${procedure}: ${JSON.stringify(answer.error)}`);
    return answer.result.data;
  }

  async hosts(): Promise<HostSummary[]> {
    return (await this.call("listHosts")) as HostSummary[];
  }

  async createJoinToken(): Promise<string> {
    return ((await this.call("createJoinToken")) as { token: string }).token;
  }

  async createAccount({
    plan = "Empresas",
    level = "write",
    scopes = ["projects:settings"],
  }: NewAccount = {}): Promise<TestAccount> {
    const { id } = (await this.call("createAccount", { name: "Ana", plan })) as AccountSummary;
    const key = await this.createKey(id, level, scopes);
    return { id, key, client: this.client(key) };
  }

  async createKey(accountId: string, level: KeyLevel, scopes: Scope[] = []): Promise<string> {
    const { key } = (await this.call("createKey", { accountId, name: "test", level, scopes })) as {
      key: string;
    };
    return key;
  }

  /** A client that calls with this key; the operator's own token reaches what only the panel may. */
  client(token = this.token): Client {
    return createClient({ baseUrl: `${this.centralUrl}/api`, token, fetch });
  }
}
