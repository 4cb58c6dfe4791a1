/**
 * A network to develop with: central, an account with a key, and simulated hosts with sample projects. What is
 * stored goes on at the next start. `TIJOLO_DEV_API_PORT`, `TIJOLO_DEV_GATEWAY_PORT` and
 * `TIJOLO_DATA_DIRECTORY` replace its ports and directory.
 */

import { join } from "node:path";
import { endOnSignals, ignoreOutputErrors, privateUmask, standardLog } from "@tijolo/protocol/kit";
import { pino } from "pino";
import { TestCluster, type TestClusterOptions } from "../support/cluster/test-cluster.ts";
import { person, seedAccount } from "./seed-account.ts";

export interface DevNetwork {
  cluster: TestCluster;
  /** What a developer needs of it, as it is printed. */
  summary: string;
  /** Closed on a signal, in reverse order; what is started beside the network is added here. */
  parts: AsyncDisposableStack;
}

/** Resolves once it serves. It ends on a signal. */
export async function openNetwork(
  options: Pick<TestClusterOptions, "centralSettings"> = {},
): Promise<DevNetwork> {
  const {
    TIJOLO_DATA_DIRECTORY: directory = join(import.meta.dirname, "../../.tools/dev"),
    TIJOLO_DEV_API_PORT: api = "8080",
    TIJOLO_DEV_GATEWAY_PORT: gateway = "8081",
    TIJOLO_LOG_LEVEL: level = "warn",
  } = process.env;
  // Node's watcher would have worker threads send it what they import, among the messages that our programs
  // expect.
  delete process.env["WATCH_REPORT_DEPENDENCIES"];
  process.umask(privateUmask);
  ignoreOutputErrors();
  const logger = pino({ base: { program: "dev" }, level }, standardLog("dev"));
  const cluster = await TestCluster.create({
    hosts: 3,
    directory,
    ports: { api: Number(api), gateway: Number(gateway) },
    centralSettings: { TIJOLO_SIGN_UP: "open", ...options.centralSettings },
    logger,
  });
  const parts = new AsyncDisposableStack();
  parts.use(cluster);
  endOnSignals(parts, { name: "the network", logger, message: "the network stops" });
  const { key, projects } = await seedAccount(cluster, join(directory, "account.json"));
  const summary = `
  API            ${cluster.centralUrl}/api/docs
  sites          ${cluster.central.pagesUrl}
  person         ${person.email}, ${person.password}
  key            ${key}
  operator token ${cluster.operatorToken}
  projects       ${projects.map(({ name, status }) => `${name} (${status})`).join(", ")}
  stored in      ${directory} (remove it to begin anew)

  TIJOLO_URL=${cluster.centralUrl} TIJOLO_KEY=${key} node cli/bin/tijolo.mjs list

Ctrl-C ends it; a changed source restarts it.
`;
  return { cluster, summary, parts };
}
