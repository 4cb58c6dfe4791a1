/**
 * Knows what gateways say when an authority asks for the proof of a name. Over HTTP (`http-01`) the answer is the
 * same for every order, so that any gateway gives it without a word from central; over TLS (`tls-alpn-01`) each
 * order has a certificate of its own.
 */

import type { ProofCertificate } from "@tijolo/protocol";

export const challengePath = "/.well-known/acme-challenge/";
const challengeToken = /^[\w-]{1,200}$/;

export class Challenges {
  #names: ReadonlySet<string> = new Set();
  #thumbprint: string | null = null;
  readonly #proofs = new Set<ProofCertificate>();

  /** Returns the names, in order, and what each of them answers: `<token>.<thumbprint>`. */
  list(): { names: string[]; thumbprint: string | null } {
    return { names: [...this.#names], thumbprint: this.#thumbprint };
  }

  /** Returns the certificates that authorities are shown now. */
  listProofs(): ProofCertificate[] {
    return [...this.#proofs];
  }

  /** Has gateways show the certificate until what is returned is called. */
  show(proof: ProofCertificate): () => void {
    this.#proofs.add(proof);
    return () => this.#proofs.delete(proof);
  }

  /** Replaces the names. Returns true when something changed. */
  replace(names: readonly string[], thumbprint: string | null): boolean {
    const isSame =
      thumbprint === this.#thumbprint &&
      names.length === this.#names.size &&
      names.every((name) => this.#names.has(name));
    if (isSame) return false;
    this.#names = new Set(names.toSorted());
    this.#thumbprint = thumbprint;
    return true;
  }

  /** Returns the answer to a request for this path at this host; null for any other request. */
  answer(host: string, path: string): string | null {
    if (!path.startsWith(challengePath) || this.#thumbprint === null) return null;
    const token = path.slice(challengePath.length);
    const name = host.toLowerCase().replace(/:\d+$/, "");
    return this.#names.has(name) && challengeToken.test(token) ? `${token}.${this.#thumbprint}` : null;
  }
}
