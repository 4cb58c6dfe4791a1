/**
 * One part of the throughput measurement in a thread of its own: the app, the gateway, the host's ingress, or
 * the visitors.
 */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { Pool } from "undici";
import { Ingress } from "../../agent/src/ingress/ingress.ts";
import { SiteVisits } from "../../agent/src/ingress/site-visits.ts";
import { TrustedProxies } from "../../central/src/app/identity/trusted-proxies.ts";
import type { Site } from "../../central/src/app/projects/site.ts";
import { PagesServer } from "../../central/src/pages-server/pages-server.ts";
import { Tunnels } from "../../central/src/pages-server/tunnels.ts";
import { until } from "../support/until.ts";
import { silent } from "./gateway-fixture.ts";

export interface Measured {
  requests: number;
  requestsPerSecond: number;
  medianMs: number;
  p99Ms: number;
}

const port = parentPort;
if (port === null) throw new Error("this file is a worker");

port.on("message", (message: unknown) => {
  if (message === "cpu") port.postMessage(process.threadCpuUsage());
});

switch (workerData.role) {
  case "app": {
    const server = createServer((_, response) => response.end("hello world")).listen(0, "127.0.0.1");
    await once(server, "listening");
    port.postMessage((server.address() as AddressInfo).port);
    break;
  }
  case "gateway": {
    const tunnels = new Tunnels({
      hostOfBearer: () => "host",
      logger: silent,
      clock: { now: Date.now },
      vouch: () => {},
    });
    const central = createServer()
      .on("upgrade", (request, socket, head) => void tunnels.handleUpgrade(request, socket, head))
      .listen(0, "127.0.0.1");
    const up = { status: "running", isRouted: true, isInMaintenance: false } as const;
    const site: Site = { projectId: "project", hostId: "host", ...up };
    const proxies = new TrustedProxies([]);
    const gateway = new PagesServer({
      findSite: () => site,
      findDomain: async () => undefined,
      findOwnPage: async () => undefined,
      answerToToken: () => "",
      tunnels,
      answerChallenge: () => null,
      siteDomain: "sites.example",
      proxies,
      logger: silent,
      countVisit: () => {},
      now: Date.now,
    })
      .createServer()
      .listen(0, "127.0.0.1");
    await Promise.all([once(central, "listening"), once(gateway, "listening")]);
    port.postMessage({
      centralPort: (central.address() as AddressInfo).port,
      gatewayPort: (gateway.address() as AddressInfo).port,
    });
    break;
  }
  case "ingress": {
    const ingress = new Ingress({
      findTarget: () => ({
        kind: "process",
        address: "127.0.0.1",
        port: workerData.appPort,
        runNumber: 1,
        isStarting: false,
      }),
      visits: new SiteVisits(),
      centralUrl: `http://127.0.0.1:${workerData.centralPort}`,
      bearer: () => "bearer",
      logger: silent,
      random: Math.random,
    });
    await until(() => ingress.isConnected());
    port.postMessage("started");
    break;
  }
  case "visitors":
    port.on("message", async (ask: Load) => port.postMessage(await visit(ask)));
    break;
}

interface Load {
  port: number;
  connections: number;
  durationMs: number;
}

async function visit(ask: Load): Promise<Measured> {
  const pool = new Pool(`http://127.0.0.1:${ask.port}`, { connections: ask.connections });
  const times: number[] = [];
  const endAt = performance.now() + ask.durationMs;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: ask.connections }, async () => {
      while (performance.now() < endAt) {
        const sentAt = performance.now();
        const { statusCode, body } = await pool.request({
          path: "/",
          method: "GET",
          headers: { host: "bench.localhost" },
        });
        if ((await body.text()) !== "hello world" || statusCode !== 200)
          throw new Error(`status ${statusCode}`);
        times.push(performance.now() - sentAt);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  await pool.close();
  times.sort((left, right) => left - right);
  return {
    requests: times.length,
    requestsPerSecond: times.length / seconds,
    medianMs: times[times.length >> 1] ?? NaN,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? NaN,
  };
}
