/**
 * Keeps the certificates of the local authority: makes those that gateways miss, renews them ahead of their end,
 * and removes those of names that are gone.
 */

import { transact } from "../../../store/store.ts";
import {
  deleteCertificate,
  insertCertificate,
  listCertificates,
  type CertificateRow,
} from "../../../store/tables/certificates/certificate.ts";
import type { CertificatesContext } from "../certificates-context.ts";
import { defaultRenewal } from "../default-renewal.ts";
import { namesKey } from "../names-key.ts";
import { wantedLocally } from "../wanted-certificates.ts";
import { ensureAuthority, issueLocally, type OpenAuthority } from "./local-authority.ts";

/** Milliseconds between two looks at what ends soon; a changed site is looked at without a pause. */
const lookEveryMs = 60 * 60 * 1000;
/** Milliseconds until a look that failed is tried again. */
const retryMs = 10_000;
const atOnce = 50;

export class CertificateKeeper implements Disposable {
  readonly #app: CertificatesContext;
  readonly #stopListening: () => void;
  /** Time of the next look. */
  #nextAt = -Infinity;
  #isLocked = false;

  constructor(app: CertificatesContext) {
    this.#app = app;
    this.#stopListening = app.wakes.on("sites", () => (this.#nextAt = -Infinity));
  }

  /** Looks when something changed or the last look is an hour old; otherwise costs nothing. */
  async run(): Promise<void> {
    const now = this.#app.clock.now();
    if (now < this.#nextAt && this.#nextAt - now <= lookEveryMs) return;
    this.#nextAt = now + retryMs; // unless the look comes to its end
    const authority = await ensureAuthority(this.#app);
    this.#noteLock(authority === null);
    if (authority !== null) await keepLocal(this.#app, authority);
    if (this.#nextAt === now + retryMs) this.#nextAt = now + lookEveryMs;
  }

  [Symbol.dispose](): void {
    this.#stopListening();
  }

  #noteLock(isLocked: boolean): void {
    if (isLocked && !this.#isLocked) {
      const message =
        "the local authority's key does not open: no certificate is made or renewed until its master key is back";
      this.#app.logger.error({}, message);
    }
    this.#isLocked = isLocked;
  }
}

/** Makes the local certificates what they are to be, in bounded steps. */
async function keepLocal(app: CertificatesContext, authority: OpenAuthority): Promise<void> {
  const wanted = new Map((await wantedLocally(app, app.db)).map((names) => [namesKey(names), names]));
  const old: CertificateRow[] = [];
  for (const row of await listCertificates(app.db)) {
    if (row.kind !== "local") continue;
    const key = namesKey(row.names);
    if (wanted.has(key) && isFresh(app, row, authority)) wanted.delete(key);
    else old.push(row);
  }
  const changes = [
    ...[...wanted.values()].map((names) => ({ names, id: null })),
    ...old.map(({ id }) => ({ names: null, id })),
  ];
  for (let from = 0; from < changes.length; from += atOnce) {
    await transact(app.db, async (tx) => {
      for (const { names, id } of changes.slice(from, from + atOnce)) {
        if (names !== null) await insertCertificate(tx, issueLocally(app, authority, names));
        if (id !== null) await deleteCertificate(tx, id);
      }
    });
  }
}

/** True for a certificate of this authority that need not be renewed yet. */
function isFresh(app: CertificatesContext, row: CertificateRow, { row: authority }: OpenAuthority): boolean {
  return row.chain.endsWith(authority.chain) && app.clock.now() < defaultRenewal(row);
}
