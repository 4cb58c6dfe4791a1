/**
 * Debian's docker-registry with a directory of its own, on loopback, or on a machine beyond this one with or
 * without TLS: open, behind a password, or behind a token server.
 */

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { openSync, closeSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { exec } from "../../../../agent/src/host/exec.ts";
import { freePort } from "../../../support/machine/free-port.ts";
import type { ServerCertificate } from "../network/certificate-authority.ts";
import { until } from "../host/container-host.ts";
import type { OutsideMachine } from "../network/outside-machine.ts";

export interface RegistryLogin {
  username: string;
  password: string;
}

export type RegistryAccess =
  | { kind: "open" }
  | { kind: "basic"; login: RegistryLogin }
  | { kind: "token"; realm: string; certificate: string };

export interface RegistryPlace {
  machine: OutsideMachine;
  /** Null: it speaks HTTP. */
  certificate: ServerCertificate | null;
}

export const tokenService = "test registry";
export const tokenIssuer = "test token server";

export class DockerRegistry implements AsyncDisposable {
  /** `address:port`. */
  readonly host: string;
  readonly #directory: string;
  readonly #process: ChildProcess;

  private constructor(host: string, directory: string, process: ChildProcess) {
    this.host = host;
    this.#directory = directory;
    this.#process = process;
  }

  /** Starts a registry. On an earlier registry's directory, it has all that was pushed there. */
  static async start(
    directory: string,
    access: RegistryAccess = { kind: "open" },
    place?: RegistryPlace,
  ): Promise<DockerRegistry> {
    const [address, port] = [place?.machine.address ?? "127.0.0.1", await freePort()];
    await mkdir(directory, { recursive: true });
    const config = join(directory, "config.json"); // YAML takes JSON
    await writeFile(
      config,
      JSON.stringify(await configuration(directory, { host: `${address}:${port}`, access, place })),
    );
    const log = openSync(join(directory, "log"), "a");
    const argv = ["docker-registry", "serve", config] as const;
    const child =
      place?.machine.start(argv, log) ?? spawn(argv[0], argv.slice(1), { stdio: ["ignore", log, log] });
    closeSync(log);
    await until(async () => {
      if (child.exitCode !== null)
        throw new Error(`docker-registry ended: ${await readFile(join(directory, "log"), "utf8")}`);
      return isListening(address, port);
    });
    return new DockerRegistry(`${address}:${port}`, directory, child);
  }

  /** Returns where the registry keeps the bytes of a blob, to damage them. */
  blobFile(digest: string): string {
    const hash = digest.slice("sha256:".length);
    return join(this.#directory, "storage/docker/registry/v2/blobs/sha256", hash.slice(0, 2), hash, "data");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill("SIGKILL");
    await once(this.#process, "exit");
  }
}

interface RegistrySetup {
  host: string;
  access: RegistryAccess;
  place: RegistryPlace | undefined;
}

async function configuration(directory: string, { host, access, place }: RegistrySetup): Promise<unknown> {
  const certificate = place?.certificate ?? null;
  const tls =
    certificate === null ? {} : { tls: { certificate: certificate.file, key: certificate.keyFile } };
  return {
    version: "0.1",
    log: { level: "warn" },
    storage: { filesystem: { rootdirectory: join(directory, "storage") } },
    http: { addr: host, secret: "of this test only", ...tls },
    ...(await authentication(directory, access)),
  };
}

async function authentication(directory: string, access: RegistryAccess): Promise<{ auth?: unknown }> {
  switch (access.kind) {
    case "open":
      return {};
    case "basic": {
      const path = join(directory, "htpasswd");
      await writeFile(path, `${access.login.username}:${await bcrypt(access.login.password)}\n`);
      return { auth: { htpasswd: { realm: "test", path } } };
    }
    case "token":
      return {
        auth: {
          token: {
            realm: access.realm,
            service: tokenService,
            issuer: tokenIssuer,
            rootcertbundle: access.certificate,
          },
        },
      };
  }
}

/** The registry takes no other hash; libxcrypt makes it for perl. */
async function bcrypt(password: string): Promise<string> {
  const { stdout } = await exec([
    "perl",
    "-e",
    'print crypt($ARGV[0], q($2y$05$) . "abcdefghijklmnopqrstuu")',
    password,
  ]);
  return stdout;
}

async function isListening(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
