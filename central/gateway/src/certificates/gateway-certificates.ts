/** Follows the certificates that central sends: to this machine's disk first, then to HAProxy. */

import type { CertificatesUpdate } from "@tijolo/protocol";
import { SerialQueue } from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import type { CertificateList, ListedCertificates } from "../haproxy/certificate-list.ts";
import type { HaproxyMap } from "../haproxy/haproxy-map.ts";
import { securedNames, shownNames } from "./certificate-names.ts";
import type { ProofServer } from "./proof-server.ts";
import type { CertificateIndex, SavedCertificates } from "./saved-certificates.ts";

export interface GatewayCertificatesParts {
  saved: SavedCertificates;
  list: CertificateList;
  /** Names whose visitors are sent from HTTP to HTTPS. */
  secured: HaproxyMap;
  /** Names that authorities ask for now, with the thumbprint that each of them answers. */
  challenges: HaproxyMap;
  proofs: Pick<ProofServer, "replace">;
  logger: Pick<Logger, "error">;
}

export class GatewayCertificates {
  readonly #parts: GatewayCertificatesParts;
  #index: CertificateIndex;
  /** Names by id of the certificates that have arrived and are not in the index yet. */
  readonly #arrived = new Map<string, string[]>();
  readonly #updates = new SerialQueue();
  /** True once a HAProxy has what is on the disk. */
  #isServing = false;

  private constructor(parts: GatewayCertificatesParts, index: CertificateIndex) {
    this.#parts = parts;
    this.#index = index;
  }

  static async open(parts: GatewayCertificatesParts): Promise<GatewayCertificates> {
    return new GatewayCertificates(parts, await parts.saved.read());
  }

  /** Returns the ids of the certificates on this machine's disk. */
  storedIds(): string[] {
    return this.#index.certificates.map(({ id }) => id);
  }

  /** Writes the files that a HAProxy which does not run yet reads. */
  async write(): Promise<void> {
    const { list, secured, challenges } = this.#parts;
    await list.write(this.#listed());
    await secured.write(this.#secured());
    await challenges.write(this.#challenges());
  }

  /** Brings what is on the disk to the running HAProxy, which gets every update from then on. */
  async apply(): Promise<void> {
    const { secured, challenges } = this.#parts;
    await challenges.apply(() => this.#challenges());
    await this.#applyList();
    // Last: nobody is sent to a certificate that is not there yet.
    await secured.apply(() => this.#secured());
    this.#isServing = true;
  }

  /** Compares the running HAProxy and its files with what is on the disk, and repairs both. */
  async compare(): Promise<void> {
    const { secured, challenges } = this.#parts;
    await challenges.compare(() => this.#challenges());
    await this.#applyList();
    await secured.compare(() => this.#secured());
  }

  /**
   * Takes a part of an update. It takes one after the other, also of two connections: one removes files that the
   * other may have brought.
   */
  follow(update: CertificatesUpdate): Promise<void> {
    return this.#updates.run(async () => {
      this.#parts.proofs.replace(update.proofs ?? []);
      if (!(await this.#take(update)) || !this.#isServing) return;
      await this.apply();
      await this.#removeOthers();
    });
  }

  /** Saves the certificates of a part, and the index with the last part. Returns true when the index is new. */
  async #take({ certificates, ids, challenges }: CertificatesUpdate): Promise<boolean> {
    const { saved, logger } = this.#parts;
    for (const certificate of certificates) {
      try {
        await saved.add(certificate);
        this.#arrived.set(certificate.id, certificate.names);
      } catch (error) {
        const { id, names } = certificate;
        logger.error({ err: error, id, names }, "a certificate cannot be served");
      }
    }
    if (ids === null) return false;
    const known = new Map(this.#index.certificates.map(({ id, names }) => [id, names]));
    const now = ids.flatMap((id) => {
      const names = this.#arrived.get(id) ?? known.get(id);
      return names === undefined ? [] : [{ id, names }];
    });
    this.#index = { certificates: now, challenges };
    this.#arrived.clear();
    await saved.save(this.#index);
    return true;
  }

  /** Removes the files of certificates that HAProxy shows no longer. */
  async #removeOthers(): Promise<void> {
    await this.#parts.saved.keepOnly(new Set(this.storedIds()));
  }

  /** Has HAProxy show the certificates. What it refuses is forgotten: its names may be another's then. */
  async #applyList(): Promise<void> {
    const { list } = this.#parts;
    const refused = await list.apply(this.#listed());
    if (refused.size === 0) return;
    await this.#forget(refused);
    await list.apply(this.#listed());
  }

  /** Forgets certificates: their names are not sent to HTTPS, and central sends them anew with the next link. */
  async #forget(refused: ReadonlyMap<string, Error>): Promise<void> {
    const { saved, logger } = this.#parts;
    const certificates = this.#index.certificates.filter(({ id, names }) => {
      const error = refused.get(saved.fileOf(id));
      if (error !== undefined) logger.error({ err: error, id, names }, "a certificate cannot be served");
      return error === undefined;
    });
    this.#index = { ...this.#index, certificates };
    await saved.save(this.#index);
  }

  #shown(): Map<string, string[]> {
    return shownNames(this.#index.certificates);
  }

  #listed(): ListedCertificates {
    return new Map([...this.#shown()].map(([id, names]) => [this.#parts.saved.fileOf(id), names]));
  }

  #secured(): Map<string, string> {
    return new Map(securedNames(this.#shown()).map((name) => [name, "yes"]));
  }

  #challenges(): Map<string, string> {
    const { names, thumbprint } = this.#index.challenges;
    return new Map(thumbprint === null ? [] : names.map((name) => [name, thumbprint]));
  }
}
