/** Holds the checks of `tijolo doctor` on the machine of central. */

import { join } from "node:path";
import { connect } from "node:tls";
import { ApiError, createClient } from "@tijolo/protocol";
import { linkServerName } from "@tijolo/protocol/kit";
import { apiUrlOf } from "../client/server-url.ts";
import { readCentralSettings } from "../install/central/central-settings.ts";
import { centralUnit } from "../install/central/central-units.ts";
import { dialable } from "../install/dialable.ts";
import { centralFiles, centralUser, places } from "../install/places.ts";
import { printable } from "../show/printable.ts";
import { readOwn } from "../install/read-own.ts";
import { runProgram } from "../install/run-program.ts";
import {
  checkPrivate,
  commonChecks,
  fail,
  ok,
  untilEnd,
  warn,
  type Check,
  type CheckRelease,
  type CheckResult,
} from "./check.ts";
import { checkSchema, type StoredSchema } from "./schema-check.ts";

const answerTimeoutMs = 5_000;
const schema: StoredSchema = {
  name: "central",
  database: join(centralFiles.data, "central.sqlite"),
  versionQuery: "SELECT max(number) AS version FROM migration",
  owner: centralUser,
};
const hostsTimeoutMs = 30_000;

export function centralChecks(
  environment: Readonly<Record<string, string | undefined>>,
  checkRelease: CheckRelease,
): Check[] {
  const part = "central" as const;
  return [
    ...commonChecks(part, { tree: places.central, unit: centralUnit, data: centralFiles.data, checkRelease }),
    { part, id: "schema", run: () => checkSchema(places.central, schema) },
    { part, id: "answers", run: checkAnswer },
    { part, id: "masterKeys", run: () => checkPrivate(centralFiles.masterKeys) },
    { part, id: "linkCertificate", run: checkLink },
    { part, id: "ownClock", run: checkClock },
    { part, id: "orphans", run: () => checkOrphans(environment["TIJOLO_OPERATOR_TOKEN"]) },
  ];
}

async function checkAnswer(): Promise<CheckResult> {
  const { listen } = await readCentralSettings({});
  const url = `http://${dialable(listen.api)}/api/status`;
  const { status } = await fetch(url, { signal: AbortSignal.timeout(answerTimeoutMs) });
  return status === 200 ? ok(url) : fail(`${url}: ${status}`);
}

/** Hosts and gateways compare their clocks with this one, for which there is only the machine's word. */
async function checkClock(): Promise<CheckResult | null> {
  const property = ["timedatectl", "show", "--property=NTPSynchronized", "--value"] as const;
  const said = await runProgram(property).catch(() => null);
  if (said === null) return null;
  const now = new Date().toISOString();
  return said.stdout.trim() === "yes" ? ok(now) : warn(now);
}

async function checkLink(): Promise<CheckResult> {
  const { listen } = await readCentralSettings({});
  if (listen.link === null) return warn(centralFiles.settings);
  const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/.exec(dialable(listen.link)) ?? [];
  const { promise, resolve, reject } = Promise.withResolvers<CheckResult>();
  // Its dates are looked at, whoever signed it: agents judge the rest.
  const options = { host, port: Number(port), servername: linkServerName, rejectUnauthorized: false };
  const socket = connect(options, () => {
    const certificate = socket.getPeerX509Certificate();
    resolve(certificate === undefined ? fail(host) : untilEnd(certificate, { name: linkServerName }));
  });
  socket.setTimeout(answerTimeoutMs, () => socket.destroy(new Error(listen.link ?? "")));
  socket.once("error", reject);
  return promise.finally(() => socket.destroy());
}

/**
 * Looks for projects that only hosts know, as after an older backup was put back: by the token that the environment
 * has, or by the first operator's. Without one there is nothing to judge by, and whether central answers is judged by
 * the check `answers`.
 */
async function checkOrphans(given: string | undefined): Promise<CheckResult | null> {
  const token = given || (await readOwn(centralFiles.firstOperatorToken).catch(() => "")).trim();
  if (token === "") return null;
  const { listen } = await readCentralSettings({});
  const client = createClient({ baseUrl: apiUrlOf(`http://${dialable(listen.api)}`), token, fetch });
  try {
    const { hosts } = await client.listOrphans(
      { query: {} },
      { signal: AbortSignal.timeout(hostsTimeoutMs) },
    );
    const count = hosts.reduce((sum, { orphans }) => sum + orphans.length, 0);
    const silent = hosts.filter(({ isReached }) => !isReached).map(({ host }) => host.name);
    const found = [String(count), ...silent.map((name) => `${printable(name)}: ?`)].join(", ");
    return count === 0 && silent.length === 0 ? ok(found) : warn(found);
  } catch (error) {
    const isRefused = error instanceof ApiError && [401, 403].includes(error.status);
    return isRefused && given ? warn("TIJOLO_OPERATOR_TOKEN") : null;
  }
}
