/** Follows the certificates that central sends: to this machine's disk first, then to HAProxy. */

import type { CertificatesUpdate } from "@tijolo/protocol";
import type { Logger } from "pino";
import type { CertificateList, ListedCertificates } from "../haproxy/certificate-list.ts";
import type { HaproxyMap } from "../haproxy/haproxy-map.ts";
import { securedNames, shownNames } from "./certificate-names.ts";
import type { CertificateIndex, SavedCertificates } from "./saved-certificates.ts";

export interface GatewayCertificatesParts {
  saved: SavedCertificates;
  list: CertificateList;
  /** Names whose visitors are sent from HTTP to HTTPS. */
  secured: HaproxyMap;
  /** Names that authorities ask for now, with the thumbprint that each of them answers. */
  challenges: HaproxyMap;
  logger: Pick<Logger, "error">;
}

export class GatewayCertificates {
  readonly #parts: GatewayCertificatesParts;
  #index: CertificateIndex;
  /** Names by id of the certificates that have arrived and are not in the index yet. */
  readonly #arrived = new Map<string, string[]>();

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

  /** Brings what is on the disk to the running HAProxy. */
  async apply(): Promise<void> {
    const { list, secured, challenges } = this.#parts;
    await challenges.apply(() => this.#challenges());
    await list.apply(this.#listed());
    // Last: nobody is sent to a certificate that is not there yet.
    await secured.apply(() => this.#secured());
  }

  /** Compares the running HAProxy and its files with what is on the disk, and repairs both. */
  async compare(): Promise<void> {
    const { list, secured, challenges } = this.#parts;
    await challenges.compare(() => this.#challenges());
    await list.apply(this.#listed());
    await secured.compare(() => this.#secured());
  }

  /** Takes a part of an update, and saves the whole with the last. Returns true when it is to be applied. */
  async take({ certificates, ids, challenges }: CertificatesUpdate): Promise<boolean> {
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
  async clean(): Promise<void> {
    await this.#parts.saved.keepOnly(new Set(this.storedIds()));
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
