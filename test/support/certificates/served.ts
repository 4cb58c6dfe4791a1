/** Serves what central hands gateways, as a gateway would, and reads it with the programs of others. */

import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import {
  listGatewayCertificates,
  type ServedCertificate,
} from "../../../central/src/app/certificates/gateway-certificates.ts";
import type { TestCluster } from "../cluster/test-cluster.ts";

const run = promisify(execFile);

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program of others to its end, whatever its exit code. */
export async function runProgram(file: string, words: readonly string[]): Promise<Ran> {
  try {
    return { code: 0, ...(await run(file, words, { timeout: 60_000 })) };
  } catch (error) {
    const { code, stdout, stderr } = error as Ran;
    if (typeof code !== "number") throw error;
    return { code, stdout, stderr };
  }
}

export function servedCertificates({ central }: TestCluster): Promise<ServedCertificate[]> {
  return listGatewayCertificates(central.app);
}

/** Returns the certificate of exactly these names; throws when there is none. */
export async function servedFor(cluster: TestCluster, name: string): Promise<ServedCertificate> {
  const found = (await servedCertificates(cluster)).findLast(({ names }) => names.includes(name));
  if (found === undefined) throw new Error(`there is no certificate of ${name}`);
  return found;
}

/** An HTTPS server with one certificate, closed at the end of its scope. */
export async function serveCertificate({ chain, privateKey }: ServedCertificate) {
  if (privateKey === null) throw new Error("the key does not open");
  const server = createServer({ cert: chain, key: privateKey }, (_request, response) => response.end("ok"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
