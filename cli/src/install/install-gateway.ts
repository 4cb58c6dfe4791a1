/** Makes the gateway of central's machine a service of systemd: visitors arrive there, at ports 80 and 443. */

import { mkdir, readFile, rm, stat } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { poll } from "@tijolo/protocol/kit/poll";
import type { Messages } from "../messages.ts";
import { centralUnit } from "./central-units.ts";
import { writeAll, writeWhole } from "./file-steps.ts";
import type { GatewaySettings } from "./gateway-settings.ts";
import { gatewayUnit, textOfGatewayUnit } from "./gateway-unit.ts";
import { centralFiles, gatewayFiles, places } from "./places.ts";
import { runProgram, succeeds } from "./run-program.ts";
import type { Step, Undo } from "./steps.ts";

const tokenTimeoutMs = 30_000;
/** Age from which a token of central's may be over before the gateway has joined. */
const tokenAgeMs = 10 * 60_000;
const startTimeoutMs = 200_000;

/** Throws where another program has the gateway's addresses. */
export async function checkGatewayAddresses(
  { httpListen, httpsListen }: GatewaySettings,
  { install: texts }: Messages,
): Promise<void> {
  if ((await isGatewayUp()) || (await answers(join(gatewayFiles.data, "run/api")))) return;
  const addresses = [httpListen, ...(httpsListen === null ? [] : [httpsListen])];
  for (const address of addresses) if (!(await canListen(address))) throw new Error(texts.portTaken(address));
}

/** Returns the steps that come once central answers. `hasNewPrograms` tells whether an earlier step changed some. */
export function gatewaySteps(
  settings: GatewaySettings,
  { centralUrl, hasNewPrograms }: { centralUrl: string; hasNewPrograms: () => boolean },
): Step[] {
  let isChanged = false;
  const noting = (run: () => Promise<Undo | null>) => async () => {
    const undo = await run();
    if (undo !== null) isChanged = true;
    return undo;
  };
  return [
    { name: "gatewaySettings", run: noting(() => settings.write()) },
    { name: "gatewayJoin", run: noting(provideToken) },
    { name: "gatewayUnit", run: noting(() => writeUnit(centralUrl)) },
    { name: "gateway", run: () => startGateway(isChanged || hasNewPrograms()) },
  ];
}

/** Ends the gateway with its HAProxy, and removes its unit. The data stays unless `purge` says otherwise. */
export async function removeGateway({ purge }: { purge: boolean }): Promise<void> {
  const path = join(places.units, gatewayUnit);
  if ((await stat(path).catch(() => null)) !== null) {
    await writeWhole({ path, text: textOfGatewayUnit({ centralUrl: "", endsHaproxy: true }) });
    await runProgram(["systemctl", "daemon-reload"]);
    await runProgram(["systemctl", "disable", "--quiet", "--now", gatewayUnit], { okCodes: [0, 1, 5] });
    await rm(path, { force: true });
    await runProgram(["systemctl", "daemon-reload"]);
  }
  await rm(gatewayFiles.joinToken, { force: true });
  if (!purge) return;
  for (const each of [gatewayFiles.data, gatewayFiles.settings])
    await rm(each, { recursive: true, force: true });
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

/** Takes over the token that central leaves at each start, for root alone; a gateway that has joined needs none. */
async function provideToken(): Promise<Undo | null> {
  if ((await stat(join(gatewayFiles.data, "gateway-id")).catch(() => null)) !== null) return null;
  await mkdir(gatewayFiles.data, { recursive: true, mode: 0o700 });
  const source = join(centralFiles.data, "gateway-token");
  const found = await stat(source).catch(() => null);
  if (found === null || Date.now() - found.mtimeMs > tokenAgeMs) {
    await rm(source, { force: true });
    await runProgram(["systemctl", "restart", centralUnit]);
  }
  const token = await poll(async () => (await readFile(source, "utf8").catch(() => "")) || undefined, {
    timeoutMs: tokenTimeoutMs,
    everyMs: 100,
  });
  if (token === undefined) throw new Error(source);
  return writeWhole({ path: gatewayFiles.joinToken, text: token, mode: 0o600 });
}

async function writeUnit(centralUrl: string): Promise<Undo | null> {
  const undo = await writeAll([
    { path: join(places.units, gatewayUnit), text: textOfGatewayUnit({ centralUrl }) },
  ]);
  if (undo === null) return null;
  await runProgram(["systemctl", "daemon-reload"]);
  return async () => {
    await runProgram(["systemctl", "disable", "--quiet", "--now", gatewayUnit], { okCodes: [0, 1, 5] });
    await undo();
    await runProgram(["systemctl", "daemon-reload"]);
  };
}

/** Resolves once the gateway has told systemd that it serves, for which it has joined. */
async function startGateway(isChanged: boolean): Promise<Undo | null> {
  if (!isChanged && (await isGatewayUp())) return null;
  await runProgram(["systemctl", "enable", "--quiet", gatewayUnit]);
  try {
    await runProgram(["systemctl", "restart", gatewayUnit], { timeoutMs: startTimeoutMs });
  } catch (cause) {
    const { stdout } = await runProgram([
      "journalctl",
      "--unit",
      gatewayUnit,
      "--lines",
      "8",
      "--no-pager",
      "--output",
      "cat",
    ]);
    throw new Error(stdout.trim(), { cause });
  }
  await rm(gatewayFiles.joinToken, { force: true });
  return async () => {};
}
