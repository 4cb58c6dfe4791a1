/**
 * A token server as registries have it: gives signed tokens to whoever knows the password, and remembers what
 * it was asked.
 */

import { createPrivateKey, randomUUID, sign, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { join } from "node:path";
import { exec } from "../../../../agent/src/host/exec.ts";
import type { ServerCertificate } from "../network/certificate-authority.ts";
import { tokenIssuer, tokenService, type RegistryLogin } from "./docker-registry.ts";

export interface TokenServerOptions {
  directory: string;
  login: RegistryLogin;
  /** Default 5 minutes. */
  lifetimeSeconds?: number;
  /** Without one it speaks HTTP. */
  tls?: ServerCertificate;
}

export class TokenServer implements AsyncDisposable {
  readonly realm: string;
  readonly certificate: string;
  /** Query of each request, with whether the password was right. */
  readonly asked: { scope: string | null; isKnown: boolean }[];
  readonly #server: Server;

  private constructor(fields: {
    realm: string;
    certificate: string;
    asked: TokenServer["asked"];
    server: Server;
  }) {
    this.realm = fields.realm;
    this.certificate = fields.certificate;
    this.asked = fields.asked;
    this.#server = fields.server;
  }

  static async start({
    directory,
    login,
    lifetimeSeconds = 300,
    tls,
  }: TokenServerOptions): Promise<TokenServer> {
    const certificate = join(directory, "token.pem");
    const keyFile = join(directory, "token.key");
    await exec([
      "openssl",
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "2",
      "-subj",
      "/CN=token",
      "-keyout",
      keyFile,
      "-out",
      certificate,
    ]);
    const key = createPrivateKey(await readFile(keyFile));
    const chain = [new X509Certificate(await readFile(certificate)).raw.toString("base64")];
    const asked: TokenServer["asked"] = [];
    const answer: RequestListener = (request, response) => {
      const url = new URL(request.url ?? "/", "http://token");
      const isKnown = hasPassword(request, login);
      const scope = url.searchParams.get("scope");
      asked.push({ scope, isKnown });
      if (!isKnown)
        return void response
          .writeHead(401)
          .end(JSON.stringify({ errors: [{ code: "UNAUTHORIZED", message: "wrong password" }] }));
      const now = Math.floor(Date.now() / 1000);
      const claims = {
        iss: tokenIssuer,
        aud: tokenService,
        sub: login.username,
        nbf: now - 60,
        iat: now,
        exp: now + lifetimeSeconds,
        jti: randomUUID(),
      };
      const head = `${encode({ typ: "JWT", alg: "RS256", x5c: chain })}.${encode({ ...claims, access: accessOf(url.searchParams.getAll("scope")) })}`;
      const signature = sign("sha256", Buffer.from(head), key).toString("base64url");
      response.end(JSON.stringify({ token: `${head}.${signature}` }));
    };
    const server =
      tls === undefined
        ? createServer(answer)
        : createTlsServer({ cert: await readFile(tls.file), key: await readFile(tls.keyFile) }, answer);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return new TokenServer({
      realm: `${tls === undefined ? "http" : "https"}://127.0.0.1:${address.port}/token`,
      certificate,
      asked,
      server,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

function hasPassword({ headers }: IncomingMessage, { username, password }: RegistryLogin): boolean {
  return headers.authorization === `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** Parses scopes such as `repository:team/app:pull,push`. */
function accessOf(scopes: string[]): unknown[] {
  return scopes.map((scope) => {
    const [type, name, actions = ""] = scope.split(":");
    return { type, name, actions: actions.split(",") };
  });
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
