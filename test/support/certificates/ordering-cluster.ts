/** A cluster whose sites lie below a domain of the world, with certificates that pebble issues. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TestCluster, type TestClusterOptions } from "../cluster/test-cluster.ts";
import { freePort } from "../machine/free-port.ts";
import { SimulatedProject } from "../projects/simulated-project.ts";
import { until } from "../until.ts";
import { Pebble, type PebbleOptions } from "./pebble.ts";
import { servedFor } from "./served.ts";
import { Zone } from "./zone.ts";

export const domain = "sites.example";

export interface OrderingCluster extends AsyncDisposable {
  cluster: TestCluster;
  pebble: Pebble;
  zone: Zone;
}

/**
 * Starts a cluster that orders from pebble, which sees the test's own DNS and asks at `httpPort`: by default that of
 * central's own gateway.
 */
export async function orderingCluster({
  pebbleOptions = {},
  settings = () => ({}),
  lookups = {},
  httpPort,
}: {
  pebbleOptions?: PebbleOptions;
  settings?: (rig: {
    pebble: Pebble;
    zone: Zone;
  }) => Record<string, string> | Promise<Record<string, string>>;
  lookups?: TestClusterOptions["acmeLookups"];
  httpPort?: number;
} = {}): Promise<OrderingCluster> {
  await using stack = new AsyncDisposableStack();
  const zone = stack.use(await Zone.open());
  const ports = { api: await freePort(), gateway: await freePort() };
  const asked = httpPort ?? ports.gateway;
  const pebble = stack.use(await Pebble.start({ httpPort: asked, dnsPort: zone.port, ...pebbleOptions }));
  const rootsFile = join(zone.folder, "roots.pem");
  await writeFile(rootsFile, pebble.roots);
  const cluster = stack.use(
    await TestCluster.create({
      ports,
      domainLookups: {
        resolvers: [{ address: "127.0.0.1", port: zone.port }],
        port: zone.port,
        mayReachPrivate: true,
      },
      acmeLookups: { httpPort: asked, ...lookups },
      centralSettings: {
        TIJOLO_SITE_DOMAIN: domain,
        TIJOLO_WEBHOOKS_TO_PRIVATE_ADDRESSES: "yes",
        TIJOLO_ACME_DIRECTORIES: pebble.directoryUrl,
        TIJOLO_ACME_ROOTS_FILE: rootsFile,
        ...(await settings({ pebble, zone })),
      },
    }),
  );
  const held = stack.move();
  return { cluster, pebble, zone, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** Creates a site below the domain. */
export async function newSite(cluster: TestCluster, subdomain: string): Promise<SimulatedProject> {
  const account = await cluster.createAccount({ plan: "Empresas" });
  const config = { type: "site", memoryMb: 512, subdomain };
  return SimulatedProject.create(account, "sim listen", { config, start: false });
}

/** Resolves with the certificate of exactly this name. */
export const issuedFor = (cluster: TestCluster, name: string) =>
  until(() => servedFor(cluster, name).catch(() => undefined), { timeoutMs: 60_000 });
