/**
 * Shows authorities the certificates that prove names over TLS (`tls-alpn-01`, RFC 8737). HAProxy hands it, at a
 * socket, the connections of those who speak `acme-tls/1`; each is closed after its handshake, or after some seconds.
 */

import { once } from "node:events";
import { chmod, chown, rm } from "node:fs/promises";
import type { Socket } from "node:net";
import { createSecureContext, createServer, type SecureContext, type Server } from "node:tls";
import { acmeTlsProtocol, type ProofCertificate } from "@tijolo/protocol";
import type { Logger } from "pino";

/** Longest life of a connection: they are few at the same time, and strangers may open them. */
const lifeMs = 5_000;

export class ProofServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #logger: Pick<Logger, "error">;
  #contexts: ReadonlyMap<string, SecureContext> = new Map();

  private constructor(logger: Pick<Logger, "error">) {
    this.#logger = logger;
    this.#server = createServer({
      ALPNProtocols: [acmeTlsProtocol],
      SNICallback: (name, answer) => {
        const context = this.#contexts.get(name.toLowerCase());
        if (context === undefined) answer(new Error("no proof of this name is wanted"));
        else answer(null, context);
      },
    });
    this.#server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      const end = setTimeout(() => socket.destroy(), lifeMs);
      socket.once("close", () => {
        clearTimeout(end);
        this.#sockets.delete(socket);
      });
    });
    this.#server.on("secureConnection", (socket) => {
      socket.on("error", () => {});
      socket.resume().end();
    });
    this.#server.on("tlsClientError", (_, socket) => socket.destroy());
  }

  /** Listens at the path, which only `uid` may connect to; null: only this program's own user. */
  static async listen(
    path: string,
    { uid, logger }: { uid: number | null; logger: Pick<Logger, "error"> },
  ): Promise<ProofServer> {
    const proofs = new ProofServer(logger);
    await rm(path, { force: true });
    proofs.#server.listen(path);
    await once(proofs.#server, "listening");
    await chmod(path, 0o600);
    if (uid !== null) await chown(path, uid, uid);
    return proofs;
  }

  /** Shows these certificates, and no others any more. */
  replace(proofs: readonly ProofCertificate[]): void {
    const contexts = new Map<string, SecureContext>();
    for (const { name, certificate, privateKey } of proofs)
      try {
        contexts.set(name, createSecureContext({ cert: certificate, key: privateKey }));
      } catch (error) {
        this.#logger.error({ err: error, name }, "a proof of a name cannot be shown");
      }
    this.#contexts = contexts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, "close");
  }
}
