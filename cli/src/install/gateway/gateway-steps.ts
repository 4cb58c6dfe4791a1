/** Makes a gateway a service of systemd: visitors arrive at its machine, at ports 80 and 443. */

import { mkdir, readFile, rm, stat } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { poll } from "@tijolo/protocol/kit/poll";
import { centralUnit } from "../central/central-units.ts";
import { writeWhole } from "../file-steps.ts";
import type { GatewaySettings } from "./gateway-settings.ts";
import { endingHaproxy, gatewayUnit, textOfGatewayUnit, type GatewayUnit } from "./gateway-unit.ts";
import { haproxyRenewal } from "./haproxy-renewal.ts";
import { endRenewal, renewDaily } from "../daily-renewal.ts";
import { enableUnits, findOtherProgram, startUnit } from "../start-unit.ts";
import { readOwn } from "../read-own.ts";
import { writeUnit } from "../write-unit.ts";
import { centralFiles, gatewayFiles, places } from "../places.ts";
import { runProgram, succeeds } from "../run-program.ts";
import type { Changes, Step, Undo } from "../steps.ts";

const tokenTimeoutMs = 30_000;
/** Age from which a token of central's may be over before the gateway has joined. */
const tokenAgeMs = 10 * 60_000;
const startTimeoutMs = 200_000;

/** Throws the refusal where another program has one of the gateway's addresses. */
export async function checkGatewayAddresses(
  { httpListen, httpsListen }: GatewaySettings,
  refusal: (address: string) => string,
): Promise<void> {
  if ((await isGatewayUp()) || (await answers(join(gatewayFiles.data, "run/api")))) return;
  const addresses = [httpListen, ...(httpsListen === null ? [] : [httpsListen])];
  for (const address of addresses) if (!(await canListen(address))) throw new Error(refusal(address));
}

export interface GatewayInstallation {
  unit: GatewayUnit;
  /** Central's authority, in PEM; null for a central of this machine. */
  authority: string | null;
  /** Returns the token with which a gateway joins that has not joined yet. */
  token: () => Promise<string | null>;
  /** What the steps before have changed, too: the gateway starts anew because of it. */
  changes: Changes;
}

/** Returns the steps that come once central answers. */
export function gatewaySteps(
  settings: GatewaySettings,
  { unit, authority, token, changes }: GatewayInstallation,
): (Step | null)[] {
  return [
    { name: "gatewaySettings", run: changes.noting(() => settings.write()) },
    authority === null
      ? null
      : {
          name: "authority",
          run: changes.noting(() => writeWhole({ path: gatewayFiles.authority, text: authority })),
        },
    { name: "gatewayJoin", run: changes.noting(() => provideToken(token)) },
    { name: "gatewayUnit", run: changes.noting(() => writeUnit(gatewayUnit, textOfGatewayUnit(unit))) },
    { name: "haproxyRenewal", run: () => renewDaily(haproxyRenewal(unit.tree), unit.tree) },
    { name: "gateway", run: () => startGateway(unit.tree, changes.isAny) },
  ];
}

/** Returns true where the gateway of this machine has joined the cluster, and needs no token. */
export async function hasJoined(): Promise<boolean> {
  return (await stat(join(gatewayFiles.data, "gateway-id")).catch(() => null)) !== null;
}

/** Returns the token that central leaves at each start, for root alone. */
export async function tokenOfCentral(): Promise<string> {
  const source = join(centralFiles.data, "gateway-token");
  const found = await stat(source).catch(() => null);
  if (found === null || Date.now() - found.mtimeMs > tokenAgeMs) {
    await rm(source, { force: true });
    await runProgram(["systemctl", "restart", centralUnit]);
  }
  const token = await poll(async () => (await readOwn(source).catch(() => "")) || undefined, {
    timeoutMs: tokenTimeoutMs,
    everyMs: 100,
  });
  if (token === undefined) throw new Error(source);
  return token;
}

/** Ends the gateway with its HAProxy, and removes its unit. The data stays unless `purge` says otherwise. */
export async function removeGateway({ purge }: { purge: boolean }): Promise<void> {
  const path = join(places.units, gatewayUnit);
  const unit = await readFile(path, "utf8").catch(() => null);
  if (unit !== null) {
    await writeWhole({ path, text: endingHaproxy(unit) });
    await runProgram(["systemctl", "daemon-reload"]);
    await runProgram(["systemctl", "disable", "--quiet", "--now", gatewayUnit], { okCodes: [0, 1, 5] });
    await rm(path, { force: true });
    await runProgram(["systemctl", "daemon-reload"]);
  }
  await endRenewal({ name: "haproxy" });
  await rm(places.tools, { recursive: true, force: true });
  await rm(gatewayFiles.joinToken, { force: true });
  if (!purge) return;
  for (const each of [gatewayFiles.data, gatewayFiles.settings])
    await rm(each, { recursive: true, force: true });
}

/** Starts the gateway again that ran before an installation was taken back. */
export async function restartGateway(): Promise<void> {
  await runProgram(["systemctl", "restart", gatewayUnit], { timeoutMs: startTimeoutMs });
}

export function isGatewayUp(): Promise<boolean> {
  return succeeds(["systemctl", "is-active", "--quiet", gatewayUnit]);
}

async function canListen(address: string): Promise<boolean> {
  const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? [];
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code !== "EADDRINUSE"));
  server.listen({ host, port: Number(port), exclusive: true }, () => resolve(true));
  const isFree = await promise;
  server.close();
  return isFree;
}

/** Returns true when a HAProxy of this machine's gateway answers at its socket, with the gateway up or not. */
async function answers(socketPath: string): Promise<boolean> {
  const socket = connect(socketPath);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}

/** Writes the token, for root alone, unless the gateway has joined. */
async function provideToken(token: () => Promise<string | null>): Promise<Undo | null> {
  if (await hasJoined()) return null;
  const text = await token();
  if (text === null) return null;
  await mkdir(gatewayFiles.data, { recursive: true, mode: 0o700 });
  return writeWhole({ path: gatewayFiles.joinToken, text, mode: 0o600 });
}

/** Resolves once the gateway has told systemd that it serves, for which it has joined. */
async function startGateway(tree: string, isChanged: boolean): Promise<Undo | null> {
  const isCurrent = (await isGatewayUp()) && (await findOtherProgram(gatewayUnit, tree)) === null;
  if (isCurrent && !isChanged) return (await enableUnits([gatewayUnit])) ? async () => {} : null;
  await startUnit(gatewayUnit, { timeoutMs: startTimeoutMs });
  await rm(gatewayFiles.joinToken, { force: true });
  return async () => {};
}
