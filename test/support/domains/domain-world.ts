/** A cluster beside a name server of the test's own, with sites whose programs listen. */

import { once } from "node:events";
import { createServer, request, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Client, Domain, DomainRecord, PlanName } from "@tijolo/protocol";
import { zipOf } from "../archives/zip-of.ts";
import { TestCluster } from "../cluster/test-cluster.ts";
import { SimulatedProject } from "../projects/simulated-project.ts";
import { until } from "../until.ts";
import { NameServer } from "./name-server.ts";

export interface Visit {
  status: number;
  location: string | undefined;
  cookies: string[];
  body: string;
}

export class DomainWorld implements AsyncDisposable {
  readonly cluster: TestCluster;
  readonly dns: NameServer;
  /** The program of all sites. */
  readonly program: Server;
  readonly #resources: AsyncDisposableStack;
  #sites = 0;

  private constructor(parts: {
    cluster: TestCluster;
    dns: NameServer;
    program: Server;
    resources: AsyncDisposableStack;
  }) {
    this.cluster = parts.cluster;
    this.dns = parts.dns;
    this.program = parts.program;
    this.#resources = parts.resources;
  }

  /** `wellKnown`: where servers of others are asked. */
  static async create(
    settings: Record<string, string> = {},
    wellKnown: { port?: number } = {},
  ): Promise<DomainWorld> {
    await using resources = new AsyncDisposableStack();
    const dns = resources.use(await NameServer.open());
    const program = createServer((request, response) => {
      response.setHeader("set-cookie", ["own=1", "parent=1; Domain=loja.dev"]);
      response.end(`${request.headers.host} ${request.url}`);
    }).listen(0, "127.0.0.1");
    await once(program, "listening");
    resources.defer(() => void program.close());
    const cluster = resources.use(
      await TestCluster.create({
        domainLookups: { ...dns.lookups, wellKnown },
        centralSettings: settings,
      }),
    );
    return new DomainWorld({ cluster, dns, program, resources: resources.move() });
  }

  /** Creates an account with a site that answers visitors. */
  async site(
    plan: PlanName = "Empresas",
  ): Promise<{ id: string; client: Client; accountId: string; key: string }> {
    const account = await this.cluster.createAccount({
      plan,
      scopes: ["projects:settings", "domains:write", "notices:write"],
    });
    const { port } = this.program.address() as AddressInfo;
    const config = { type: "site", memoryMb: 512, port, subdomain: `loja-${++this.#sites}` };
    const site = await SimulatedProject.create(account, "sim run", { config });
    await site.is("running");
    return { id: site.id, client: account.client, accountId: account.id, key: account.key };
  }

  /** Creates an account with a site of files, which needs little memory of its host. */
  async staticSite(): Promise<{ id: string; client: Client; key: string }> {
    const { client, key } = await this.cluster.createAccount({
      plan: "Block",
      scopes: ["projects:settings", "domains:write"],
    });
    const zip = await zipOf({ "svc.json": JSON.stringify({ language: "static" }), "index.html": "olá" });
    const file = new File([zip], `site-${++this.#sites}.zip`);
    return { id: (await client.createProject({ fields: {}, file })).project.id, client, key };
  }

  /** Writes the records that a domain wants into DNS, of one way. */
  async write(domain: Domain, way: DomainRecord["way"]): Promise<void> {
    const records = domain.records.filter((record) => record.way === way);
    for (const { name, type } of records) {
      const same = records.filter((record) => record.name === name && record.type === type);
      this.dns.set(
        name,
        type,
        same.map(({ value }) => value),
      );
    }
  }

  /** Visits a host through the gateway. */
  async visit(host: string, path = "/"): Promise<Visit> {
    const { hostname, port } = new URL(this.cluster.central.pagesUrl);
    const asked = request({ host: hostname, port, path, headers: { host }, agent: false });
    asked.end();
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    const body = (await response.toArray()).join("");
    const { location, "set-cookie": cookies = [] } = response.headers;
    return { status: response.statusCode ?? 0, location, cookies, body };
  }

  /** Resolves once the domain is so. */
  when(
    client: Client,
    id: string,
    hostname: string,
    isReached: (domain: Domain) => boolean,
  ): Promise<Domain> {
    return until(
      async () => {
        const { domains } = await client.listDomains({ id });
        return domains.find((domain) => domain.hostname === hostname && isReached(domain));
      },
      { timeoutMs: 30_000, everyMs: 50 },
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }
}
